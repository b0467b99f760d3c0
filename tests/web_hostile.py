"""web_hostile.py: hostile addresses, pastes, folders and pointer events; see test_web.py"""
import json
import os
import shutil
import tempfile
import time

from person import STAGE, click, pause, slide, step, wait

# keeps the worker busy with steps of half a second to half a minute
BUSY = """function slow() {{ ask('create', {{ place: 3, scene: 'bricks:rows=150', method: 'jacobi', tol: 1e-12 }}).catch(() => {{}});
    ask('frame', {{ places: [3], steps: {steps} }}).catch(() => {{}}); }}"""
SAID = "document.querySelector('#instrument').innerText"


def addresses(page):
    """Whatever the address says, an instrument opens and every menu shows what is set."""
    for address in ("#constructor", "#__proto__?a=1", "#toString", "#lessons?lesson=1.5", "#lessons?lesson=-1e9", "#lessons?lesson=Infinity",
                    "#bodies?scene=tower&size=2&tol=3e-5&a=constructor", "#convergence?problem=pd:n=3&methods=pgs&tol=0.5", "#%E0%A4%A", "#plane?A=,,,&pivot=1e9"):
        page.evaluate(f"location.hash = {address!r}")
        wait(page, f"{SAID}.length > 300 && !!document.querySelector('nav a[aria-current]')", f"{address} shows nothing")
        wait(page, "document.querySelectorAll('select, .lessons-list').length > 0", f"{address}: no menus")
        empty = page.evaluate("[...document.querySelectorAll('select')].filter(e => e.selectedIndex < 0).map(e => e.ariaLabel)")
        assert empty == [], f"{address}: empty menus {empty}"
        assert page.errors == [], f"{address}: {page.errors}"


def dragged_long(page):
    """A slider dragged for long writes fewer addresses than the browser's limit, including the last one."""
    wait(page, "!!document.querySelector('.verdict')?.innerText", "no verdict")
    count = page.evaluate("""(async () => {
        const slider = document.querySelector('[aria-label="a"]'), real = history.replaceState.bind(history);
        let count = 0;
        history.replaceState = (...rest) => { if (++count > 100) throw new DOMException('too many', 'SecurityError'); real(...rest); };
        for (let k = 0; k < 200; k++) { slider.value = k % 20 / 10; slider.dispatchEvent(new Event('input')); await new Promise(done => setTimeout(done, 1)); }
        return count; })()""")
    wait(page, "/a1=1.9/.test(location.hash)", "the last address is not written")
    assert 0 < count < 100, count


def set_in_haste(page):
    """Friction, gravity and a deadline set during the creation of a scene apply to it."""
    wait(page, f"{STAGE}?.frames > 0", "nothing moves")
    pause(page)
    click(page, "Restart")
    slide(page, "gravity", 0)
    slide(page, "deadline", 3)
    wait(page, f"{STAGE}.frames === 0 && {STAGE}.runs.length === 1", "it is not made")
    time.sleep(0.3)
    height = "s.runs[0].pose.filter((v, k) => k % 3 === 1).reduce((a, v) => a + v, 0)"
    told = step(page, 20, height)
    assert abs(told[-1] - told[0]) < 1e-9, f"bodies fall by {told[0] - told[-1]} m without gravity"


def left_in_haste(page):
    """A scene that was requested and left at once does not replace the next one."""
    wait(page, f"{STAGE}?.frames > 0", "nothing moves")
    page.evaluate(f"""(async () => {{ const nap = ms => new Promise(done => setTimeout(done, ms));
        const choose = value => {{ const s = document.querySelector('[aria-label="scene"]'); s.value = value; s.onchange(); }};
        slow(); choose('pebbles'); await nap(50); choose('discs'); /* it waits behind the first */
        location.hash = '#plane'; await nap(20); /* two stages take turns */
        location.hash = '#lessons?lesson=6'; await nap(20); location.hash = '#bodies?scene=tower&size=3&a=nncg&b=none'; }})(); {BUSY.format(steps=2)}""")
    wait(page, f"/tower/.test(location.hash) && {STAGE}?.frames > 10", "nothing moves")
    sizes = page.evaluate(f"[{STAGE}.runs[0].shapes.length, {STAGE}.runs[0].pose.length / 3]")
    assert sizes[0] == sizes[1] == 4, f"{sizes[1]} poses of {sizes[0]} shapes"


def endless_step(page):
    """A step that would last for minutes: another scene can be chosen, and another instrument."""
    wait(page, f"{STAGE}?.frames > 0", "nothing moves")
    for action, done in ("""{ const s = document.querySelector('[aria-label="scene"]'); s.value = 'discs'; s.onchange(); }""",
                         f"{STAGE}.runs[0]?.shapes.length > 40 && {STAGE}.frames > 0"), \
                        ("location.hash = '#plane'", "/solution/.test(document.querySelector('.verdict')?.innerText)"):
        page.evaluate(f"{BUSY.format(steps=5000)} slow()")  # for longer than wait() waits
        wait(page, "workers[0]?.late()", "nothing runs")
        page.evaluate(action)
        wait(page, done, "it waits for the last step")


def plane_at_once(page):
    """Hands on the plane before the library has answered, and methods that refuse a matrix."""
    page.evaluate("""{ location.hash = '#bodies'; dispatchEvent(new Event('hashchange')); location.hash = '#plane?A=-1,0.3,0.2,-1&b=1,0.8'; dispatchEvent(new Event('hashchange'));
        for (const c of document.querySelectorAll('canvas.figure')) for (const kind of ['pointerdown', 'pointermove', 'pointerup']) c.dispatchEvent(new PointerEvent(kind, { pointerId: 5, clientX: 100, clientY: 100 }));
        for (const e of document.querySelectorAll('#instrument button, #instrument input[type=checkbox]')) { e.click(); e.click(); } }""")
    wait(page, "/solutions?/.test(document.querySelector('.verdict')?.innerText) && /positive diagonal/.test(document.querySelector('.pair section + section .results').innerText)", "no verdict")
    assert "NaN" not in page.evaluate(SAID), page.evaluate(SAID)
    count = page.evaluate("redraws.size")
    for address in "#plane?b=1,1", "#plane?b=1,0", "#plane?b=0,1":
        page.evaluate(f"location.hash = {address!r}")
        wait(page, "/solution/.test(document.querySelector('.verdict')?.innerText)", "no verdict")
    assert page.evaluate("redraws.size") == count, "pages that were left are drawn for ever"


def pasted_often(page):
    """One pasted problem after another in one worker, of all sizes: each is solved."""
    wait(page, "!!document.querySelector('.verdict')?.innerText", "no verdict")
    wrong = page.evaluate("""(async () => {
        const wrong = [];
        for (const n of [300, 2, 1000, 5, 40, 700, 1, 120, 3, 900]) {
          const A = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => i === j ? n : Math.sin(i + j))), b = A.map((_, i) => Math.cos(3 * i) - 0.5);
          const r = await ask('run', { problem: { A, b }, method: 'pgs', tol: 1e-9 }).catch(error => ({ outcome: error.message, x: [] }));
          const y = r.x.length ? A.map((row, i) => row.reduce((sum, v, j) => sum + v * r.x[j], b[i])) : [], far = Math.max(0, ...r.x.map((v, i) => Math.abs(Math.min(v, y[i]))));
          if (r.outcome !== 'solved' || far > 1e-8) wrong.push([n, r.outcome, far]);
        }
        return wrong; })()""")
    assert wrong == [], wrong


def paste(page, A, b):
    """Enters and uses the texts; returns the milliseconds for which the page was blocked."""
    return page.evaluate(f"""(() => {{ const [a, b] = document.querySelectorAll('#instrument textarea'); a.value = {A}; b.value = {b};
        const begin = performance.now(); [...document.querySelectorAll('button')].find(e => e.textContent === 'Use A and b').click();
        return performance.now() - begin; }})()""")


RUNS = "document.querySelector('#instrument > div').race.runs"
IDLE = "[...document.querySelectorAll('button')].some(b => b.textContent === 'Run')"


def pastes(page):
    """Texts from other programs are read; invalid text clears the last problem's words."""
    wait(page, f"{RUNS}.length === 1 && {IDLE}", "no results")
    for A, b in ("2 −1\n−1 2", "−1 0.8"), ("[[2, -1], [-1, 2]]", "[-1, 0.8]"), ("2\t-1\r\n-1\u00a02\r\n", "-1\r\n.8"), ("{{2,-1};{-1,2}}", "-1;0.8"):
        paste(page, '"nonsense"', '"1"')
        wait(page, f"/'nonsense' is not a number/.test({SAID}) && {IDLE}", "no complaint")
        said = page.evaluate(f"{SAID} + {RUNS}.length")
        assert "solved" not in said and "entries" not in said and said[-1] == "0", f"words of the last problem: {said}"
        paste(page, json.dumps(A), json.dumps(b))
        wait(page, f"{RUNS}[0]?.outcome === 'solved'", f"{A!r} is not solved")
        assert page.evaluate(f"{RUNS}[0].x") == [0.5, 0], A
    wait(page, IDLE, "it does not end")
    paste(page, '"1e308 1e308;1e308 1e308"', '"-1e308 1"')
    wait(page, f"{RUNS}.length === 1 && {RUNS}[0].outcome !== 'solved' && {IDLE}", "overflow is solved")
    assert "above 400" not in page.evaluate(SAID), "n = 2 is not above 400"
    n = 1000
    spent = paste(page, f"Array.from({{length: {n}}}, (_, i) => Array.from({{length: {n}}}, (_, j) => i === j ? {n} : 0.25).join(' ')).join('\\n')", f"Array({n}).fill(-1).join(' ')")
    wait(page, f"{RUNS}[0]?.outcome === 'solved' && /n = {n},/.test({SAID})", f"{n} rows are not solved")
    print(f"  {n} rows were pasted: the page waited {spent:.0f} ms")
    assert spent < 400 and page.evaluate("location.hash.length") < 100_000, (spent, page.evaluate("location.hash.length"))


def two_folders(page, folder):
    """Two folders at once are not mixed; saved problems leave nothing behind in the worker."""
    wait(page, f"{RUNS}.length === 1 && {IDLE}", "no results")
    with tempfile.TemporaryDirectory() as other:
        for name in "A.mtx", "b.mtx":
            shutil.copy(os.path.join(folder, name), other)
        data = {"items": [], "files": [folder, other], "dragOperationsMask": 1}
        for kind in "dragEnter", "dragOver", "drop":
            page.send("Input.dispatchDragEvent", type=kind, x=300, y=300, data=data)
        wait(page, f"/there twice/.test({SAID})", "two folders are taken for one problem")
    page.evaluate("(async () => { for (let k = 0; k < 3; k++) await ask('save', { problem: 'pd:n=4' }); })()")
    saved = page.evaluate("(async () => Object.keys(await ask('save', { problem: 'pd:n=4' })))()")
    assert {"A.mtx", "b.mtx"} <= set(saved), saved


# ---- Pictures ----

def no_shaders(page, share):
    """A driver that rejects the shaders: a plain canvas shows the bodies, and the scene continues."""
    wait(page, f"{STAGE}?.frames > 0", "nothing moves")
    page.evaluate("{ makeRenderer = () => { throw new Error('no such shader'); }; renderer = undefined; }")
    frames = page.evaluate(f"{STAGE}.frames")
    wait(page, f"{STAGE}.frames > {frames} + 2", "it stopped")
    seen, _ = page.evaluate(share)
    assert seen > 0.9 and page.evaluate("renderer === null"), f"{seen} of the bodies are drawn"


def lost_finger(page):
    """A finger whose capture is lost is ignored; another finger releases nothing."""
    wait(page, f"{STAGE}?.frames > 0", "nothing moves")
    held = page.evaluate(f"""(() => {{ const s = {STAGE}, r = s.runs[0], c = s.views[0].canvas, b = c.getBoundingClientRect(), told = [];
        s.playing = false; s.draw();
        const k = r.shapes.length - 1, [px, py] = c.view.screen(r.pose.subarray(3 * k, 3 * k + 2)), at = {{ clientX: b.left + px / c.width * b.width, clientY: b.top + py / c.height * b.height }};
        const send = (kind, pointerId) => {{ c.dispatchEvent(new PointerEvent(kind, {{ pointerId, ...at }})); told.push(r.held ?? -1); }};
        send('pointerdown', 7); send('lostpointercapture', 7); send('pointerdown', 8); send('pointerup', 9); send('pointerup', 8);
        return [k, ...told]; }})()""")
    k = held[0]
    assert held[1:] == [k, -1, k, k, -1], held


def many_strokes(page):
    """A frame draws the walls that are new, not every stroke since the start."""
    wait(page, f"{STAGE}?.frames > 0", "nothing moves")
    pause(page)
    click(page, "Raise walls")
    counts = page.evaluate(f"""(async () => {{ const c = {STAGE}.views[0].canvas, b = c.getBoundingClientRect(), real = CanvasRenderingContext2D.prototype.arc;
        const send = (kind, x, y) => c.dispatchEvent(new PointerEvent(kind, {{ pointerId: 1, clientX: b.left + x * b.width, clientY: b.top + y * b.height }}));
        send('pointerdown', 0.3, 0.5); for (let k = 0; k < 100; k++) send('pointermove', 0.3 + 0.2 * (k % 2), 0.5); send('pointerup', 0.5, 0.5);
        await new Promise(done => setTimeout(done, 1000));
        {STAGE}.draw();
        let arcs = 0; CanvasRenderingContext2D.prototype.arc = function (...rest) {{ arcs++; return real.apply(this, rest); }};
        {STAGE}.draw(); CanvasRenderingContext2D.prototype.arc = real;
        return arcs; }})()""")
    assert 0 < counts <= 4, f"{counts} strokes in a frame"


def alone(page):
    """The browser itself refuses what the page would load from elsewhere."""
    wait(page, "!!document.querySelector('.verdict')?.innerText", "no verdict")
    told = page.evaluate("""new Promise(done => { addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));
        fetch('http://127.0.0.1:1/').catch(() => setTimeout(done, 1000, 'open')); })""")
    page.browser.events = [e for e in page.browser.events if e["method"] != "Network.requestWillBeSent"]
    page.evaluate("0")
    page.browser.events = [e for e in page.browser.events if e["method"] not in ("Log.entryAdded", "Network.requestWillBeSent")]
    assert told == "connect-src", told
