"""web_trouble.py: rough use of the playground: nonsense, haste, a solver that is killed; see test_web.py"""
import os
import tempfile
import time
import zipfile

from person import STAGE, box, click, drag, text, wait

SAID = "document.querySelector('#instrument').innerText"


def nonsense(page):
    """Invalid text gets an answer, and the next problem is solved."""
    wait(page, "document.querySelectorAll('.results tbody tr').length === 1", "no results")

    def choose(problem, words):
        page.evaluate(f"""{{ const field = document.querySelector('[aria-label^="a problem"]');
            field.value = {problem!r}; field.onchange(); }}""")
        wait(page, f"/{words}/.test({SAID})", f"{problem!r}: no complaint")

    def paste(A, b, words):
        page.evaluate(f"""{{ const f = document.querySelectorAll('#instrument textarea'); f[0].value = {A!r}; f[1].value = {b!r}; }}""")
        click(page, "Use A and b")
        wait(page, f"/{words}/.test({SAID})", f"{A!r}: no complaint")

    choose("nonsense:n=3", "nonsense")
    choose("pd:n=banana", "banana")
    choose("pd:n=-5", "-5 is not in")
    choose("pd:n=1e9", "is not in 1")
    paste("one two", "3 4", "A, row 0: 'one' is not a number")
    paste("NaN 1\n1 2", "1 2", "A, row 0: 'NaN' is not a number")
    paste("1 2\n3 4", "1", "b has 1 number")
    paste("", "", "A is empty")
    paste("1 0\n1e400 1", "1 1", "A, row 1: '1e400' is not a number")
    paste("2 0\n0 2", "-1 1", "n = 2")
    wait(page, "document.querySelector('#instrument > div').race.runs[0]?.outcome === 'solved'", "not solved after nonsense")


def stopped(page):
    """A long solve is stopped, and while it runs the page answers."""
    wait(page, "[...document.querySelectorAll('button')].some(b => b.textContent === 'Stop')", "nothing runs")
    gap, seconds = page.evaluate("""(async () => {
        let last = performance.now(), most = 0; const begin = last, channel = new MessageChannel();
        await new Promise(done => { channel.port1.onmessage = () => { const now = performance.now(); most = Math.max(most, now - last); last = now;
          now - begin > 2000 ? done() : channel.port2.postMessage(0); }; channel.port2.postMessage(0); });
        return [most, (last - begin) / 1000]; })()""")
    busy = page.evaluate("workers[0].solving()")
    print(f"  a solve of {seconds:.1f} s and more: the page waited at most {gap:.0f} ms")
    assert busy and gap < 500 * seconds, f"{gap} ms"
    click(page, "Stop")
    wait(page, "[...document.querySelectorAll('button')].some(b => b.textContent === 'Run')", "it cannot be run again")
    page.evaluate("""{ const field = document.querySelector('[aria-label^="a problem"]'); field.value = 'pd:n=5'; field.onchange(); }""")
    wait(page, "/n = 5,/.test(document.querySelector('.verdict').innerText)", "no new problem after Stop")


def killed(page):
    """The solver dies while a scene runs: the page reports it, and Play starts again."""
    wait(page, f"{STAGE}?.frames > 2", "nothing moves")
    page.evaluate("workers[0].end('killed')")
    wait(page, f"{STAGE}.lost && /Play begins anew/.test({SAID})", "nothing is said")
    click(page, "Play")
    wait(page, f"!{STAGE}.lost && {STAGE}.frames > 2", "Play does not begin anew")


def haste(page):
    """Instruments one after another faster than they can begin, and a window that changes its size."""
    for _ in range(2):
        for name in "bodies", "liquids?cells=128", "plane", "convergence?problem=fluid:grid=64", "lessons?lesson=5", "lessons?lesson=6":
            page.evaluate(f"location.hash = '#{name}'")
            time.sleep(0.07)
    page.evaluate("location.hash = '#bodies?scene=discs&size=20'")
    wait(page, f"{STAGE}?.frames > 3", "nothing moves after haste")
    for width, height in (390, 700), (1500, 500), (320, 900), (700, 700):
        page.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=False)
        time.sleep(0.1)
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), f"wider than {width}"
    frames = page.evaluate(f"{STAGE}.frames")
    wait(page, f"{STAGE}.frames > {frames} + 2", "it stopped")
    for _ in range(8):  # a size is dragged: scenes are made faster than they can be
        page.evaluate("""{ const s = document.querySelector('[aria-label="size"]'); s.value = +s.value + 3; s.dispatchEvent(new Event('input')); }""")
        click(page, "Restart")
    frames = page.evaluate(f"{STAGE}.frames")
    wait(page, f"{STAGE}.frames > 2 && {STAGE}.runs[0].shapes.length > 40", "the last size is not shown")


def strange_address(page):
    """Invalid values of the address are ignored."""
    wait(page, f"{STAGE}?.frames > 0", "nothing moves")
    values = page.evaluate("""[...document.querySelectorAll('input[type=range]')].map(e => [e.ariaLabel, e.value, e.nextSibling.textContent])""")
    assert all("NaN" not in "".join(v) for v in values), values
    assert page.evaluate("[...document.querySelectorAll('select')].every(e => e.selectedIndex >= 0)"), "an empty menu"


def study_and_download(page):
    """The problem of a running scene goes to Convergence, and from there to the disk."""
    wait(page, f"{STAGE}?.frames > 3 && {STAGE}.runs[0].numbers.rows > 0", "nothing to solve")
    click(page, "Pause")
    rows = page.evaluate(f"{STAGE}.runs[0].numbers.rows")
    click(page, "Study this step in Convergence")
    wait(page, f"/n = {rows},/.test(document.querySelector('.verdict')?.innerText)", f"no problem of {rows} rows")
    wait(page, "[...document.querySelectorAll('button')].some(b => b.textContent === 'Run')", "it does not end")
    with tempfile.TemporaryDirectory() as folder:
        page.browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
        click(page, "Download as a folder")
        path, until = f"{folder}/problem.zip", time.monotonic() + 300
        while not os.path.exists(path) and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(0.2)
        files = zipfile.ZipFile(path)
        assert files.testzip() is None and "b.mtx" in files.namelist(), files.namelist()
        assert str(rows) in files.read("b.mtx").decode().splitlines()[1].split() or rows == 0, files.read("b.mtx")[:80]


def hover(page):
    """Over the log plot the pointer shows the value of every method from its run."""
    wait(page, "document.querySelector('#instrument > div').race.runs.length === 2", "no runs")
    left, top, width, height = box(page, "canvas.plot")
    drag(page, [(left + 0.5 * width, top + 0.5 * height)])
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=left + width - 12, y=top + 0.5 * height)
    wait(page, "!document.querySelector('#tip').hidden", "no tip")
    told = dict(line.split(": ") for line in text(page, "#tip").splitlines())
    ends = page.evaluate("document.querySelector('#instrument > div').race.runs.map(r => [r.method, r.iteration.at(-1), r.residual.at(-1)])")
    for method, iteration, residual in ends:
        value, at = told[method].split(" at ")
        assert int(at) == iteration and (residual is None or abs(float(value) - residual) <= 0.02 * residual), (told, ends)
