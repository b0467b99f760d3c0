#!/usr/bin/env python3
"""tests/test_browser.py PERP [SHOTS]: pages of perp simulate in a browser

Opens a page of each kind in headless Chromium, presses play, scrubs, changes the colours, and checks
that the canvas changes, that the numbers shown are right, that the page fits a telephone, as the films of tools/demo do, and that the
console has no errors. SHOTS is a folder for screenshots.
Skipped without Chromium."""
import os
import re
import shlex
import subprocess
import sys
import tempfile

import browser
from person import wait

SHAPES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "robot_shapes.xml")
PAGES = [  # name, arguments of perp simulate, views on the page
    ("particle", ["particle", "--steps", "60"], 1),
    ("plane", ["discs:n=20", "--steps", "60", "--compare", "friction=none,findex"], 2),
    ("solvers", ["bricks:rows=3,columns=3", "--steps", "20", "--compare", "method=pgs,nncg"], 2),
    ("liquid", ["ceiling:cells=24", "--steps", "30", "--compare", "walls=stick,separate"], 2),
    ("liquid-space", ["dam:cells=12,solid=yes", "--steps", "20"], 1),
    ("space", ["wall3d:rows=4,columns=4,ball=yes", "--steps", "60", "--method", "nncg",
               "--max-iter", "100"], 1),
    ("spectrum", ["bricks:rows=3,columns=3", "--steps", "20", "--spectrum", "s.csv", "--compare",
                  "friction=findex,polyhedral"], 2),
    ("engines", ["tower3d:n=3,after=20", "--steps", "60", "--method", "nncg", "--compare",
                 "engine=perp,ode-quickstep"], 2),
    ("times", ["discs:n=8", "--steps", "60", "--compare", "h=0.01,0.005"], 2),
    ("limited", ["bricks:rows=3,columns=3", "--steps", "20", "--method", "pgs", "--max-iter", "3",
                 "--every", "6"], 1),
    ("robot", [SHAPES, "--steps", "60"], 1),
    ("joints", ["ragdolls:n=2", "--steps", "60", "--method", "nncg", "--max-iter", "100"], 1),
]


SHARP = "views.every(v => v.run.sharp)"
SEEN = ("new Promise(done => { const rest = () => playing || " + SHARP + " ? "
        "done([...document.querySelectorAll('#views canvas')].map(c => c.toDataURL())) : setTimeout(rest, 20); rest(); })")
WAIT = "new Promise(done => setTimeout(done, 300))"
FRAME = "+document.getElementById('scrub').value"


def check_settings(page, call, views):
    """The page lists every parameter with its value, and the call that reproduces it."""
    told = page.evaluate("""[...document.querySelectorAll('#settings tr')].map(
        row => [...row.cells].map(cell => [cell.textContent, cell.className]))""")
    rows = {row[1][0]: row[2:2 + views] for row in told}
    robot = call[0].endswith(".xml")
    assert {"law" if robot else "seed", "steps", "tol", "max-iter", "check-every", "time-limit", "threads", "cold",
            "islands"} <= set(rows), sorted(rows)
    scene = dict(item.split("=") for item in (call[0] + ":").split(":")[1].split(",") if item)
    for name, value in scene.items():
        assert rows[name] == [[value, "given"]] * views, (name, rows[name])
    assert rows["steps"][0][0] == call[call.index("--steps") + 1], rows["steps"]
    assert robot or rows["seed"][0] == ["1", ""], rows["seed"]
    code = page.evaluate("document.querySelector('#settings code').textContent")
    assert code.startswith("perp simulate " + " ".join(call) + " --html "), code


def check_colours(page, liquid):
    """Each choice has its own legend, with numbers and units, and its own colours."""
    names = page.evaluate("[...document.getElementById('colour').options].map(o => o.text)")
    assert names == (["speed", "pressure", "active set at walls"] if liquid else
                     ["impulse", "active contacts", "plain"]), names
    legends, pictures = [], []
    for k in range(3):
        page.evaluate(f"""{{ const c = document.getElementById('colour'); c.selectedIndex = {k};
                          c.dispatchEvent(new Event('change')); }}""")
        legends.append(page.evaluate("document.getElementById('legend').innerText"))
        pictures.append(page.evaluate(SEEN))
    words = ["fastest", "Pa", "free to leave"] if liquid else ["N s", "8 or more", ""]
    assert all(word in text for word, text in zip(words, legends)), legends
    if liquid:
        assert len({tuple(p) for p in pictures}) == 3, "two colours look alike"
    page.evaluate("""{ const c = document.getElementById('colour'); c.selectedIndex = 0;
                      c.dispatchEvent(new Event('change')); }""")


def press(page, key, code):
    for kind in "rawKeyDown", "keyUp":
        page.send("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                  windowsVirtualKeyCode=code, nativeVirtualKeyCode=code)


def move(page, x, y):
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


def box_of(page, selector):
    return page.evaluate(f"""(() => {{ const e = document.querySelector('{selector}');
        e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect();
        return [b.left, b.top, b.width, b.height]; }})()""")


def check_pointer(page, liquid):
    """The pointer shows values of bodies in the picture and of steps in a plot."""
    tip = "document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent"
    page.evaluate("seek(Math.floor(frames / 2))")
    left, top, width, height = box_of(page, "#views canvas")
    word, values = "Pa" if liquid else "N s", []
    for k in range(400):
        move(page, left + width * (k % 20 + 0.5) / 20, top + height * (k // 20 + 0.5) / 20)
        text = page.evaluate(tip)
        if " m\n" in text or text.endswith(" m"):
            values.append(text)
            if word in text:
                break
    else:
        raise AssertionError(f"no {word} under the pointer: {values}")
    left, top, width, height = box_of(page, "#plots canvas")
    move(page, left + 0.6 * width, top + 0.5 * height)
    text = page.evaluate(tip)
    assert text.startswith("step ") or " s\n" in text, text
    move(page, 1, 1)
    assert page.evaluate(tip) == "", "the values stay"
    page.evaluate("scrollTo(0, 0)")


def check_view(page):
    """Every body is in the picture in every frame, and the ground has a grid and shadows."""
    outside = page.evaluate("""views.flatMap(({ run, canvas }) => run.particle.length ? [] :
        run.time.flatMap((t, f) => { const view = viewOf(run, f, canvas.width, canvas.height); return run.shapes.map((shape, k) => {
          const each = run.dimension === 3 ? 7 : 3, at = (f * run.shapes.length + k) * each, [x, y] = view.screen(run.pose.subarray(at, at + 3));
          return shape.fixed || (x >= 0 && y >= 0 && x <= canvas.width && y <= canvas.height) ? '' : `frame ${f} body ${k}`;
        }); }).filter(text => text))""")
    assert outside == [], outside[:5]
    if not page.evaluate("data.runs[0].dimension === 3"):
        return
    # points of the ground, or of fixed boxes' tops if these fill the picture, by whether a ray from
    # there to the sun meets a body, and by lines of the grid
    shadow, line, plain = page.evaluate("""(() => {
        const { run, canvas } = views[0], f = run.at[frame], view = canvas.view, copy = document.createElement('canvas');
        copy.width = canvas.width; copy.height = canvas.height;
        const g = copy.getContext('2d', { willReadFrequently: true });
        g.drawImage(canvas, 0, 0);
        const pixel = g.getImageData(0, 0, copy.width, copy.height).data, gap = roundStep(extentOf(run));
        const shaded = p => run.shapes.some((shape, k) => {
          if (shape.wire || isGround(run, f, k)) return false;
          const at = 7 * (f * run.shapes.length + k), q = run.pose.subarray(at, at + 7), back = [q[3], -q[4], -q[5], -q[6]];
          const t = enters(shape, rotate(back, plus(p, -1, q)), rotate(back, SUN));
          return t > 1e-4 * view.extent && isFinite(t); }) || (run.particle.length && dropNear(p));
        const drops = []; for (let k = run.first[f]; k < run.first[f + 1]; k++) drops.push(dropAt(run, k));
        const dropNear = p => drops.some(d => { const t = (d[2] - p[2]) / SUN[2]; return Math.hypot(p[0] + t * SUN[0] - d[0], p[1] + t * SUN[1] - d[1]) < 0.3 * run.grain; });
        const grounds = [[[], [], []], [[], [], []]];
        for (let y = 1; y < copy.height; y += 13) for (let x = 1; x < copy.width; x += 13) {
          const { from, along } = view.ray(x + 0.5, y + 0.5), found = thingAt(run, f, view, x + 0.5, y + 0.5);
          const thing = run.shapes[found.thing];
          if (!isFinite(found.depth) || (found.thing >= 0 && !(thing?.fixed && thing.kind === 'box'))) continue;
          const p = plus(from, found.depth, along), off = Math.min(...[p[0], p[1]].map(v => Math.abs(v / gap - Math.round(v / gap)))), at = 4 * (y * copy.width + x);
          if (thing && Math.abs(p[2] - thing.size[2] - run.pose[7 * (f * run.shapes.length + found.thing) + 2]) > 1e-3 * view.extent) continue;
          if (Math.hypot(p[0] - view.middle[0], p[1] - view.middle[1]) > 0.5 * view.extent) continue;
          grounds[thing ? 1 : 0][shaded(p) ? 0 : !thing && off < 0.004 ? 1 : off > 0.2 ? 2 : 3]?.push(pixel[at] + pixel[at + 1] + pixel[at + 2]);
        }
        return grounds[grounds[1][2].length > grounds[0][2].length ? 1 : 0].map(list => list.length ? list.sort((a, b) => a - b)[list.length >> 1] : 0); })()""")
    assert 0 < shadow < 0.8 * plain, (shadow, plain)
    assert line == 0 or line < 0.99 * plain, (line, plain)


def check_forces(page, robot):
    """Contact forces are arrows, which a box switches off; only robots have them."""
    assert page.evaluate("document.getElementById('forces').offsetParent !== null") == robot
    if robot:
        page.evaluate("seek(frames - 1)")
        shown = page.evaluate(SEEN)
        page.evaluate("document.getElementById('forces').click()")
        assert page.evaluate(SEEN) != shown, "no forces"
        page.evaluate("document.getElementById('forces').click()")
        assert page.evaluate(SEEN) == shown, "the forces do not come back"


def check_liquid(page):
    """Fast liquid is darker than slow liquid."""
    slow, fast = page.evaluate("[speeds()[0], speeds()[255]].map(c => 0.3 * c[0] + 0.6 * c[1] + 0.1 * c[2])")
    assert fast < 0.6 * slow, (slow, fast)


def check_keys(page):
    """An arrow key advances one frame and pauses, whatever has the focus, except in a menu."""
    page.evaluate("seek(0), document.activeElement.blur(), setPlaying(true)")
    press(page, "ArrowRight", 39)
    assert page.evaluate("playing") is False, "an arrow does not pause"
    page.evaluate("seek(0)")
    for focus, on in ("document.activeElement.blur()", 1), ("document.getElementById('scrub').focus()", 1), \
            ("document.getElementById('speed').focus()", 0):
        page.evaluate(focus)
        before = page.evaluate(FRAME)
        press(page, "ArrowRight", 39)
        assert page.evaluate(FRAME) == before + on, (focus, before, page.evaluate(FRAME))


def check_times(page):
    """Runs with different time steps are shown at the same time, which the clock displays."""
    for frame in 0, 1, 7, 60, 90:
        page.evaluate(f"seek({frame})")
        shown = page.evaluate("views.map(v => v.run.time[v.run.at[frame]])")
        now = float(page.evaluate("document.getElementById('when').textContent").split()[0])
        assert now == round(page.evaluate("instants[frame]"), 3), now
        for time, end, h in zip(shown, (0.6, 0.3), (0.01, 0.005)):
            assert min(now, end) - h < time <= now + 1e-9, (now, shown)
    labels = page.evaluate("[...document.querySelectorAll('#views b')].map(b => b.textContent)")
    assert labels == ["h=0.01", "h=0.005"], labels
    notes = page.evaluate("[...document.querySelectorAll('#views span')].map(b => b.textContent)")
    assert "frame 60," in notes[1] and "ended at 0.300 s" in notes[1], notes
    page.evaluate("seek(0)")


def look(page, path, call, views, shot):
    name = os.path.basename(path).split(".")[0]
    assert page.evaluate("playing || frame > 0"), "the film does not begin by itself"
    title = page.evaluate("document.title")
    assert title.endswith(", " + os.path.basename(call[0])), title
    assert name != "robot" or title == "shapes, robot_shapes.xml", title
    page.evaluate("setPlaying(false), seek(0)")
    first = page.evaluate(SEEN)
    assert len(first) == views, f"{len(first)} views, not {views}"
    assert page.evaluate("document.querySelectorAll('#plots canvas').length") >= 4, "no plots"
    spectrum = "[...document.querySelectorAll('#plots b')].some(b => /eigenvalues/.test(b.textContent))"
    assert page.evaluate(spectrum) == ("spectrum" in os.path.basename(path)), "the spectrum"
    assert page.evaluate("Math.max(...[...document.querySelectorAll('#views canvas')]"
                         ".map(c => c.clientHeight)) < innerHeight"), "higher than the window"
    page.evaluate("document.getElementById('speed').value = '0.1'")
    page.evaluate("document.getElementById('play').click()")
    wait(page, f"{FRAME} > 2", "play does not play")
    page.evaluate("""{ const b = document.getElementById('play');
                      if (b.textContent === 'Pause') b.click(); }""")
    page.evaluate(WAIT)
    played = page.evaluate(SEEN)
    assert all(a != b for a, b in zip(first, played)), "nothing moved while it played"
    page.evaluate(WAIT)
    assert page.evaluate(SHARP), "coarse although it rests"
    assert page.evaluate(SEEN) == played, "pause does not pause"
    page.evaluate("""{ const s = document.getElementById('scrub'); s.value = s.max;
                      s.dispatchEvent(new Event('input')); }""")
    last = page.evaluate(SEEN)
    assert all(a != b for a, b in zip(first, last)), "scrubbing shows nothing new"
    texts = "[...document.querySelectorAll('%s figcaption')].map(c => c.textContent)"
    engines = name == "engines"
    none = [text for text in page.evaluate(texts % "#plots") if "ODE: none" in text]
    assert len(none) == (3 if engines else 0), none  # residual, iterations, rows
    labels = page.evaluate("plots.map(p => p.canvas.scale.ticks.map(t => t[1]))")
    assert all(len(set(texts)) == len(texts) > 0 for texts in labels), labels
    notes = ["by ODE, not judged" in text for text in page.evaluate(texts % "#views")]
    assert notes == [engines and k == 1 for k in range(views)], notes
    when = page.evaluate("document.getElementById('when').textContent")
    if name == "times":
        check_times(page)
    else:
        assert f"frame {call[call.index('--steps') + 1]} of" in when, when
    if shot:
        page.picture(shot)
    page.evaluate("""{ const s = document.getElementById('scrub'); s.value = 0;
                      s.dispatchEvent(new Event('input')); }""")
    assert page.evaluate(SEEN) == first, "the first frame is not the first frame any more"
    rows = page.evaluate("document.querySelectorAll('#parameters tr').length")
    assert rows == views + 1, f"{rows} rows of parameters"
    check_settings(page, call, views)
    page.evaluate("seek(frames - 1)")
    check_colours(page, "liquid" in name)
    check_pointer(page, "liquid" in name)
    check_view(page)
    check_forces(page, name == "robot")
    check_liquid(page)
    page.evaluate("seek(0)")
    check_keys(page)
    red = page.evaluate("""{ const c = document.getElementById('marks');
        c.hidden ? 0 : c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter(v => v > 180).length; }""")
    assert (red > 0) == page.evaluate("data.runs.some(r => r.steps.solved.includes(0))"), red
    if name == "limited":
        assert red > 0 and page.evaluate("data.runs[0].shown") == [0, 6, 12, 18, 20], red
    page.send("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=False)
    fits(page, name)
    assert page.errors == [], page.errors


def fits(page, name):
    """Nothing is wider than a telephone."""
    wait(page, "document.documentElement.scrollWidth <= 390", f"{name} is wider than 390 points")


def check_films(opened, perp, place):
    """The films of tools/demo, 20 steps of each, on a telephone: they begin to play and fit."""
    with open(os.path.join(os.path.dirname(SHAPES), "..", "tools", "demo"), encoding="utf-8") as f:
        films = re.findall(r"^film (\w+) (.*)$", f.read(), re.M)
    assert len(films) >= 3, films
    for name, call in films:
        path = f"{place}/{name}.html"
        made = subprocess.run([perp, "simulate", *shlex.split(re.sub(r"--steps \d+", "--steps 20", call)), "--html", path],
                              timeout=600, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert os.path.exists(path), made.stderr.decode()
        page = opened.open("file://" + path, width=390, height=844)
        assert page.evaluate("playing || frame > 0"), f"{name} does not begin by itself"
        for frame in "0", "frames - 1":
            page.evaluate(f"setPlaying(false), seek({frame})")
            fits(page, name)
        assert page.errors == [], page.errors
        page.close()
    return "ok"


def check_inside(opened, perp, place):
    """Pages of scenes inside engines, on a telephone: engines report no impulses, so there is no choice of colour."""
    seen = 0
    for engine in ("bullet", "dart", "ode"):
        path = f"{place}/{engine}.html"
        made = subprocess.run([perp, "simulate", "gripper", "--engine", engine, "--steps", "20", "--html", path],
                              timeout=600, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if b"not found: install" in made.stderr:
            print(f"  skipped: {made.stderr.decode().strip()}")
            continue
        page = opened.open("file://" + path, width=390, height=900)
        page.evaluate(WAIT)
        assert page.evaluate("document.getElementById('colour').offsetParent") is None, engine
        assert page.evaluate("document.getElementById('colour').value") == "plain", engine
        assert "none in any frame" not in page.evaluate("document.body.textContent.replace(/const .*/s, '')"), engine
        fits(page, engine)
        assert len(page.evaluate(SEEN)) >= 3, engine
        assert page.errors == [], page.errors
        page.close()
        seen += 1
    return "ok" if seen else "skip"


def main():
    if not browser.find():
        print("  skipped: there is no chromium\nskip pages\n0 passed, 0 failed, 1 skipped")
        return 0
    perp = os.path.abspath(sys.argv[1])
    shots = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    count = {"ok": 0, "FAIL": 0, "skip": 0}
    with tempfile.TemporaryDirectory() as place, browser.Browser() as opened:
        for name, call, views in PAGES:
            path = f"{place}/{name}.html"
            made = subprocess.run([perp, "simulate", *call, "--html", path], timeout=600,
                                  cwd=place, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
            if b"built without" in made.stderr:
                print(f"  skipped: {made.stderr.decode().strip()}\nskip {name}")
                count["skip"] += 1
                continue
            state = "ok"
            try:
                assert os.path.exists(path), made.stderr.decode()
                page = opened.open("file://" + path, width=1200, height=1000)
                look(page, path, call, views, shots and f"{shots}/{name}.png")
                page.close()
            except (AssertionError, RuntimeError) as error:
                state = "FAIL"
                print(f"  {error}")
            count[state] += 1
            print(f"{state:4} {name}", flush=True)
        for name, check in ("films of the demo", check_films), ("inside engines", check_inside):
            try:
                state = check(opened, perp, place)
            except (AssertionError, RuntimeError) as error:
                state = "FAIL"
                print(f"  {error}")
            count[state] += 1
            print(f"{state:4} {name}", flush=True)
    print(f"{count['ok']} passed, {count['FAIL']} failed, {count['skip']} skipped")
    return 1 if count["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
