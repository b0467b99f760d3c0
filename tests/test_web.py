#!/usr/bin/env python3
"""tests/test_web.py BUILD [--soak SECONDS] [--shots FOLDER] [--only NAME,...]: the playground in a browser and in node

Drives every instrument of BUILD/play.html in headless Chromium as a person would: drags, pours,
pastes, follows links. What the page shows is compared with what is computed here by other means.
A scene runs for ten seconds, or as long as --soak says, and then a liquid too; memory must not grow. Skipped without node or Chromium."""
import base64
import functools
import gzip
import io
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import time
import zipfile

import browser
import web_hands
import web_hostile
import web_trouble
from person import STAGE, box, click, drag, mouse, press, slide, text, wait

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Skip(Exception):
    """Why a test cannot run here."""


# ---- Without a browser ----

def bits_equal_native(build):
    """240 steps of bricks in WebAssembly: the hash of native builds, which test_bits checks."""
    if not shutil.which("node"):
        raise Skip("there is no node")
    told = subprocess.run(["node", f"{ROOT}/web/hash.js", f"{build}/cmake/bin/perp_play.js", "bricks",
                           "auto", "240"], capture_output=True, text=True, timeout=120, check=True)
    number, iterations = told.stdout.split()
    with open(f"{ROOT}/tests/data/bits.txt", encoding="utf-8") as file:
        kept = [line.split() for line in file if line.startswith("bricks auto ")]
    assert kept == [["bricks", "auto", number, "solved", iterations]], (kept, told.stdout)


def page_is_small_and_alone(build):
    with open(f"{build}/play.html", "rb") as file:
        page = file.read()
    packed = len(gzip.compress(page, 9))
    assert packed < 800_000, f"{packed} bytes after gzip"
    assert not re.search(rb"<(script|link|img|iframe)[^>]*(src|href)=", page), "it loads something"
    assert b"/*SCRIPTS*/" not in page and b"/*WORKER*/" not in page
    print(f"  {len(page)} bytes, {packed} after gzip")


# ---- The LCP ----

def residual(A, b, x):
    """max |min(x, A x + b)|, the natural residual, by hand"""
    y = [sum(a * v for a, v in zip(row, x)) + c for row, c in zip(A, b)]
    return max(abs(min(u, v)) for u, v in zip(x, y))


def cases(A, b):
    """All solutions of a problem with two unknowns: every choice of free rows, by Cramer's rule"""
    found = []
    for free in ((), (0,), (1,), (0, 1)):
        x = [0.0, 0.0]
        if len(free) == 1:
            i = free[0]
            if A[i][i] == 0:
                continue
            x[i] = -b[i] / A[i][i]
        elif len(free) == 2:
            det = A[0][0] * A[1][1] - A[0][1] * A[1][0]
            if det == 0:
                continue
            x = [(-b[0] * A[1][1] + b[1] * A[0][1]) / det, (-b[1] * A[0][0] + b[0] * A[1][0]) / det]
        if min(x) >= -1e-9 and residual(A, b, x) < 1e-9:
            found.append(x)
    return found


def plane(page):
    wait(page, "/one solution/.test(document.querySelector('.verdict')?.innerText)", "no verdict")
    left, top, width, height = box(page, "canvas.figure")
    before = page.evaluate("location.hash")
    # moves b from (-1, 0.8) to the positive quadrant, in which x = 0 is the solution
    scale = min(width, height) / 2 / 2.5
    middle = (left + width / 2, top + height / 2)
    drag(page, [(middle[0] - scale, middle[1] - 0.8 * scale), (middle[0], middle[1] - 40),
                (middle[0] + 60, middle[1] - 60)])
    wait(page, "/x = \\(0, 0\\)/.test(document.querySelector('.verdict').innerText)", "b did not move")
    assert page.evaluate("location.hash") != before, "the address does not follow"
    page.evaluate("document.querySelector('canvas.figure').focus()")
    told = page.evaluate("document.querySelector('[aria-label=\"b₁\"]').value")
    press(page, "ArrowLeft", 37)
    wait(page, f"document.querySelector('[aria-label=\"b₁\"]').value !== {told!r}", "arrows move nothing")
    assert "∞" in text(page, ".signs") and text(page, ".signs").split()[-3:] == ["2", "1", "0"]


def plane_counts(page):
    """Cones, the library's solutions and Lemke's path against all cases, for drawn problems."""
    draw = random.Random(7)
    problems = [([[draw.uniform(-2, 2) for _ in range(2)] for _ in range(2)],
                 [draw.uniform(-2, 2) for _ in range(2)]) for _ in range(60)]
    told = page.evaluate(f"""(async () => {{ const out = [];
        for (const [A, b] of {json.dumps(problems)}) {{
          const found = await ask('solutions', {{ problem: {{ A, b }} }});
          out.push([found.solutions.map(s => s.x), lemkePath(A, b)]); }}
        return out; }})()""")
    ends = set()
    for (A, b), (solutions, path) in zip(problems, told):
        expected = cases(A, b)
        assert len(solutions) == len(expected), (A, b, solutions, expected)
        for x in solutions:
            assert residual(A, b, x) < 1e-9, (A, b, x)
        ends.add(path["end"])
        if path["end"] == "solved":
            assert min(path["x"]) >= -1e-9 and residual(A, b, path["x"]) < 1e-9, (A, b, path)
        positive = A[0][0] > 0 and A[1][1] > 0 and A[0][0] * A[1][1] > A[0][1] * A[1][0]
        assert path["end"] == "solved" or not positive, (A, b, path)
    assert ends == {"solved", "ray"}, ends


# ---- Bodies and liquids ----

def bodies(page):
    wait(page, f"{STAGE}?.frames > 5", "nothing moves")
    for gauge in ("residual", "iterations", "solve, ms", "overlap, m", "energy, J"):
        assert gauge in text(page, ".gauges"), gauge
    click(page, "Pause")
    # a brick of the highest course, to where it is not yet
    shape, x, y = page.evaluate(f"""(() => {{ const s = {STAGE}, r = s.runs[0], c = s.views[0].canvas;
        const k = r.shapes.length - 3, v = view2(r, c.width, c.height), b = c.getBoundingClientRect();
        return [k, b.left + v.X(r.pose[3 * k]) / c.width * b.width,
                b.top + v.Y(r.pose[3 * k + 1]) / c.height * b.height]; }})()""")
    where = f"{STAGE}.runs.map(r => [r.pose[{3 * shape}], r.pose[{3 * shape + 1}]])"
    before = page.evaluate(where)
    click(page, "Play")
    mouse(page, "mousePressed", x, y)
    for k in range(1, 9):
        mouse(page, "mouseMoved", x, y - 10 * k)
        time.sleep(0.06)
    wait(page, f"{STAGE}.runs.every((r, k) => r.pose[{3 * shape + 1}] > {before[0][1]} + 0.3)",
         "the brick was not lifted")
    mouse(page, "mouseReleased", x, y - 80)
    click(page, "Pause")
    time.sleep(0.3)
    count = page.evaluate(f"{STAGE}.runs.map(r => r.shapes.length)")
    click(page, "Add round")
    left, top, width, height = box(page, ".views canvas")
    mouse(page, "mousePressed", left + 0.2 * width, top + 0.2 * height)
    mouse(page, "mouseReleased", left + 0.2 * width, top + 0.2 * height)
    wait(page, f"{STAGE}.runs.every(r => r.shapes.length === {count[0] + 1})", "no body was added")
    click(page, "Delete")
    mouse(page, "mousePressed", left + 0.2 * width, top + 0.2 * height)
    mouse(page, "mouseReleased", left + 0.2 * width, top + 0.2 * height)
    wait(page, f"{STAGE}.runs.every(r => r.shapes.length === {count[0]})", "no body was deleted")
    page.evaluate("""{ const s = document.querySelector('[aria-label="tilt"]'); s.value = 0.8;
        s.dispatchEvent(new Event('input')); }""")
    click(page, "Play")
    slides = f"{STAGE}.runs.map(r => r.pose.filter((v, k) => k % 3 === 0).reduce((a, v) => a + v, 0))"
    first = page.evaluate(slides)
    frames = page.evaluate(f"{STAGE}.frames")
    wait(page, f"{STAGE}.frames > {frames} + 15", "it stopped")
    assert all(b > a for a, b in zip(first, page.evaluate(slides))), "tilted gravity moves nothing"
    for name, key, value in ("friction μ", "mu", 0.7), ("restitution", "restitution", 0.5):
        page.evaluate(f"""{{ const s = document.querySelector('[aria-label="{name}"]'); s.value = {value};
            s.dispatchEvent(new Event('input')); }}""")
        assert f"{key}={value}" in page.evaluate("location.hash"), key
    assert "tilt=0.8" in page.evaluate("location.hash")
    click(page, "Copy first to second")
    time.sleep(0.5)
    assert page.evaluate(f"{STAGE}.playing"), text(page, ".note")


def space(page):
    """A house of cards stands, until its highest card is pulled out; keys do the same as a hand."""
    wait(page, f"{STAGE}?.frames > 12", "nothing moves")
    heights = f"[...{STAGE}.runs[0].pose].filter((v, k) => k % 7 === 2)"
    first = page.evaluate(heights)
    frames = page.evaluate(f"{STAGE}.frames")
    wait(page, f"{STAGE}.frames > {frames} + 15", "it stopped")
    assert max(abs(a - b) for a, b in zip(first, page.evaluate(heights))) < 1e-3, "the house falls"
    assert page.evaluate(f"{STAGE}.runs[0].arrow.length") > 0, "no forces"
    click(page, "Pause")
    time.sleep(0.3)
    flat(page)
    box(page, ".views canvas")
    # a pixel of the highest card
    shape, x, y = page.evaluate(f"""(() => {{ const s = {STAGE}, r = s.runs[0], c = s.views[0].canvas;
        s.draw();
        const b = c.getBoundingClientRect(), high = r.shapes.map((t, k) => t.fixed ? -1 : r.pose[7 * k + 2]);
        const k = high.indexOf(Math.max(...high)), [px, py] = c.view.screen(r.pose.subarray(7 * k, 7 * k + 3));
        return [thingAt(r, 0, c.view, px, py).thing === k ? k : -1, b.left + px / c.width * b.width, b.top + py / c.height * b.height]; }})()""")
    assert shape >= 0, "the highest card is hidden"
    click(page, "Play")
    mouse(page, "mousePressed", x, y)
    for k in range(1, 9):
        mouse(page, "mouseMoved", x, y - 8 * k)
        time.sleep(0.06)
    wait(page, f"{STAGE}.runs[0].pose[{7 * shape + 2}] > {first[shape]} + 0.05", "the card was not lifted")
    mouse(page, "mouseReleased", x, y - 64)
    page.evaluate("document.querySelector('.views canvas').focus()")
    press(page, "]")
    wait(page, f"{STAGE}.runs[0].held >= 0", "] holds nothing")
    held = page.evaluate(f"{STAGE}.runs[0].held")
    at = page.evaluate(f"{STAGE}.runs[0].pose[{7 * held + 2}]")
    for _ in range(4):
        press(page, "ArrowUp", 38)
    wait(page, f"{STAGE}.runs[0].pose[{7 * held + 2}] > {at} + 0.02", "arrows do not pull")
    press(page, "Delete", 46)
    wait(page, f"{STAGE}.runs[0].shapes[{held}].wire", "Delete takes nothing away")


SHARE = """(() => { const stage = document.querySelector('#instrument > div').stage, c = stage.views[0].canvas, copy = document.createElement('canvas');
    copy.width = c.width; copy.height = c.height;
    const g = copy.getContext('2d', { willReadFrequently: true }), run = stage.runs[0], each = run.dimension === 3 ? 7 : 3;
    g.drawImage(c, 0, 0);
    const pixel = g.getImageData(0, 0, c.width, c.height).data, ends = [Infinity, -Infinity, Infinity, -Infinity];
    let seen = 0, asked = 0; /* bodies whose middle is in the picture, in some colour */
    const few = run.shapes.filter(s => !s.fixed && !s.wire).length < 3; /* then their sizes count, not only their distances */
    run.shapes.forEach((shape, k) => {
      if (shape.fixed || shape.wire) return;
      const [x, y] = c.view.screen(run.pose.subarray(each * k, each * k + 3)), at = 4 * (Math.floor(y) * c.width + Math.floor(x));
      asked++; seen += pixel[at + 3] > 200 && Math.max(...pixel.subarray(at, at + 3)) - Math.min(...pixel.subarray(at, at + 3)) > 8;
      const r = !few ? 0 : reachOf(shape) * (each === 7 ? c.view.focal / c.view.eye(run.pose.subarray(7 * k, 7 * k + 3))[2] : c.view.s);
      ends[0] = Math.min(ends[0], x - r); ends[1] = Math.max(ends[1], x + r); ends[2] = Math.min(ends[2], y - r); ends[3] = Math.max(ends[3], y + r);
    });
    return [seen / asked, Math.max((ends[1] - ends[0]) / c.width, (ends[3] - ends[2]) / c.height)]; })()"""


def flat(page):
    """Without WebGL2 a plain canvas shows the bodies."""
    page.evaluate(f"renderer = null, {STAGE}.draw()")
    seen, _ = page.evaluate(SHARE)
    page.evaluate("renderer = undefined")
    assert seen > 0.9, f"{seen} of the bodies are drawn"


def scenes(page):
    """Every scene moves, shows its bodies, and in space they fill the picture."""
    names = page.evaluate("Object.keys(BODY_SCENES)")
    asked = {"discs", "bricks", "tower", "arch3d", "cards", "silo", "ragdolls", "wrecking", "incline", "held", "rolling", "spinner",
             "backspin", "turntable", "painleve"}
    assert asked <= set(names), names
    for name in names:
        page.evaluate(f"location.hash = '#bodies?scene={name}&a=nncg&b=none'")
        wait(page, f"{STAGE}?.frames > 1 && {STAGE}.runs[0].numbers", f"{name} does not move")
        page.evaluate(f"{STAGE}.playing = false")
        assert page.evaluate("renderer !== null"), "no WebGL2"
        seen, share = page.evaluate(SHARE)
        assert seen > 0.5, f"{name}: {seen} of the bodies are seen"
        space = page.evaluate(f"{STAGE}.runs[0].dimension") == 3
        assert share > (0.5 if space else 0.25), f"{name} fills {share} of the picture"


def opens(page):
    """On a telephone the first thing is a picture that moves, with the forces of a house of cards; then the controls."""
    wait(page, f"{STAGE}?.frames > 3", "nothing moves", 600)
    assert page.evaluate(f"{STAGE}.runs[0].arrow.length") > 0, "no forces"
    top, bottom, controls = page.evaluate("""(() => { const b = s => document.querySelector(s).getBoundingClientRect();
        return [b('.views canvas').top, b('.views canvas').bottom, b('.controls').top]; })()""")
    assert top < 200 and bottom < 664 and controls > bottom, (top, bottom, controls)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, "wider than the screen"


def dolls(page):
    """Dolls that fall down the stairs stay in the picture."""
    for frames in range(40, 241, 40):
        wait(page, f"{STAGE}?.frames > {frames}", "nothing moves", 600)
        inside = page.evaluate(f"""(() => {{ const s = {STAGE}, r = s.runs[0], c = s.views[0].canvas;
            const at = r.shapes.flatMap((t, k) => t.fixed || t.wire ? [] : [c.view.screen(r.pose.subarray(7 * k, 7 * k + 3))]);
            return at.filter(([x, y]) => x > 0 && x < c.width && y > 0 && y < c.height).length / at.length; }})()""")
        assert inside > 0.95, f"after {frames} frames {inside} of the bodies are in the picture"


def pasted(page):
    """A pasted problem is shown with its solution and the verdict; a wrong one looks like an error."""
    wait(page, "document.querySelector('.verdict b') !== null", "no verdict", 600)
    assert text(page, "p.verdict + .answer tbody").split() == ["0", "0.5", "0", "1", "0", "0.3"], text(page, "p.verdict + .answer tbody")
    assert "solved by" in page.evaluate("document.querySelector('.verdict b').parentElement.innerText")
    page.evaluate("""{ document.querySelector('[aria-label^="the matrix A"]').value = '1 2';
        [...document.querySelectorAll('button')].find(b => b.innerText === 'Use A and b').click(); }""")
    wait(page, "document.querySelector('p.note.error')?.innerText", "no error", 600)
    assert page.evaluate("document.querySelector('.verdict b') === null"), "the old verdict is still there"


def fingers(page):
    """Two fingers zoom and move the picture, one drags a body."""
    page.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    wait(page, f"{STAGE}?.frames > 1", "nothing moves")
    left, top, width, height = box(page, ".views canvas")
    x, y = left + 0.5 * width, top + 0.5 * height

    touch = functools.partial(web_hands.touch, page)
    touch("touchStart", (x - 20, y))
    touch("touchStart", (x - 20, y), (x + 20, y))
    for k in range(1, 5):
        touch("touchMove", (x - 20 - 10 * k, y), (x + 20 + 10 * k, y))
    touch("touchEnd")
    zoom = page.evaluate("camera.zoom")
    assert 2.5 < zoom < 3.5, f"fingers three times as far apart zoom by {zoom}"
    page.evaluate(f"resetCamera(), {STAGE}.draw()")
    shape, x, y = page.evaluate(f"""(() => {{ const s = {STAGE}, r = s.runs[0], c = s.views[0].canvas, b = c.getBoundingClientRect();
        const k = r.shapes.length - 1, [px, py] = c.view.screen(r.pose.subarray(3 * k, 3 * k + 2));
        return [k, b.left + px / c.width * b.width, b.top + py / c.height * b.height]; }})()""")
    before = page.evaluate(f"{STAGE}.runs[0].pose[{3 * shape + 1}]")
    touch("touchStart", (x, y))
    for k in range(1, 9):
        touch("touchMove", (x, y - 6 * k))
        time.sleep(0.05)
    wait(page, f"{STAGE}.runs[0].pose[{3 * shape + 1}] > {before} + 0.1", "the finger lifts nothing")
    touch("touchEnd")


def restored(page):
    """The address restores scene, methods and friction."""
    wait(page, f"{STAGE}?.frames > 2", "nothing moves")
    labels = page.evaluate(f"{STAGE}.runs.map(r => r.label)")
    assert labels == ["pgs", "dantzig"], labels
    assert page.evaluate("document.querySelector('[aria-label=\"friction μ\"]').value") == "0.9"
    assert page.evaluate(f"{STAGE}.runs[0].shapes.length") == 6, "a tower of five and its ground"


def liquids(page):
    wait(page, f"{STAGE}?.frames > 3", "nothing flows")
    counts = f"{STAGE}.runs.map(r => r.first[1])"
    before = page.evaluate(counts)
    left, top, width, height = box(page, ".views canvas")
    drag(page, [(left + 0.3 * width, top + 0.2 * height), (left + 0.32 * width, top + 0.2 * height)], 0.3)
    wait(page, f"{STAGE}.runs.every((r, k) => r.first[1] > {before}[k] + 20)", "nothing was poured")
    click(page, "Raise walls")
    low = (top + 0.75 * height)
    drag(page, [(left + 0.4 * width, low), (left + 0.5 * width, low), (left + 0.6 * width, low)])
    frames = page.evaluate(f"{STAGE}.frames")
    wait(page, f"{STAGE}.frames > {frames} + 20", "it stopped")
    inside = page.evaluate(f"""{STAGE}.runs.map(r => {{ let count = 0;
        for (let k = 0; k < r.first[1]; k++) {{
          const x = r.lo[0] + (r.hi[0] - r.lo[0]) * r.particle[2 * k] / 65535;
          const y = r.lo[1] + (r.hi[1] - r.lo[1]) * r.particle[2 * k + 1] / 65535;
          const v = view2(r, {width}, {height}), [wx, wy] = v.at({0.5 * width}, {0.75 * height});
          count += Math.hypot(x - wx, y - wy) < 0.03; }}
        return count; }})""")
    assert inside == [0, 0], f"{inside} particles in a wall"
    volumes = page.evaluate(f"{STAGE}.runs.map(r => r.numbers.volume)")
    assert all(0.8 < v < 1.2 for v in volumes), volumes
    pictures = page.evaluate(f"{STAGE}.views.map(v => v.canvas.toDataURL())")
    assert pictures[0] != pictures[1], "walls that hold and walls that let go look the same"
    page.evaluate(f"renderer = null, {STAGE}.draw()")
    assert page.evaluate(f"{STAGE}.views[0].canvas.toDataURL()") != pictures[0], "the plain canvas is not used"


# ---- Convergence ----

def convergence(page):
    wait(page, "document.querySelectorAll('.results tbody tr').length === 2", "no results")
    rows = page.evaluate("[...document.querySelectorAll('.results tbody tr')].map(r => r.innerText)")
    assert all("solved" in row for row in rows), rows
    left, top, width, height = box(page, "canvas.plot")
    mouse(page, "mouseMoved", left + 0.3 * width, top + 0.5 * height, buttons=0)
    assert "pgs: " in text(page, "#tip"), text(page, "#tip")
    page.evaluate("""{ const [A, b] = document.querySelectorAll('#instrument textarea');
        A.value = '4 -1 0\\n-1 4 -1\\n0 -1 4'; b.value = '-1 2 -3'; }""")
    click(page, "Use A and b")
    wait(page, "/n = 3/.test(document.querySelector('.verdict').innerText)", "the paste was not taken")
    wait(page, "(runs => runs.length === 2 && runs.every(r => r.x?.length === 3))"
               "(document.querySelector('#instrument > div').race.runs)", "no runs")
    x = page.evaluate("document.querySelector('#instrument > div').race.runs.map(r => r.x)")
    A, b = [[4, -1, 0], [-1, 4, -1], [0, -1, 4]], [-1, 2, -3]
    assert all(residual(A, b, v) < 1e-7 for v in x), x
    packed = page.evaluate("""(async () => { const problem = { A: '4 -1 0;-1 4 -1;0 -1 4', b: '-1 2 -3' };
        const data = new Uint8Array(await zip(await ask('save', { problem })).arrayBuffer());
        return btoa(String.fromCharCode(...data)); })()""")
    files = zipfile.ZipFile(io.BytesIO(base64.b64decode(packed)))
    assert files.testzip() is None and {"A.mtx", "b.mtx"} <= set(files.namelist()), files.namelist()
    numbers = [float(t) for t in files.read("b.mtx").decode().split()[-3:]]
    assert numbers == b, numbers
    return page.evaluate("location.href")


def pasted_again(page):
    wait(page, "/n = 3/.test(document.querySelector('.verdict').innerText)", "the address lost A")
    page.evaluate("""{ const [A] = document.querySelectorAll('#instrument textarea'); A.value = '1 2\\n3'; }""")
    click(page, "Use A and b")
    wait(page, "/row 1 has 1 numbers/.test(document.querySelector('#instrument').innerText)", "no complaint")
    page.evaluate("""{ const [A] = document.querySelectorAll('#instrument textarea'); A.value = '1 2\\n3 four'; }""")
    click(page, "Use A and b")
    wait(page, "document.querySelector('#instrument').innerText.includes(\"A, row 1: 'four' is not a number\")", "no complaint")


def files_dropped(page, folder):
    path = os.path.join(folder, "A.mtx")
    files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    assert os.path.exists(path), folder
    root = page.send("DOM.getDocument")["root"]["nodeId"]
    node = page.send("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
    page.send("DOM.setFileInputFiles", nodeId=node, files=files)
    page.evaluate("document.querySelector('input[type=file]').dispatchEvent(new Event('change'))")
    with open(path, encoding="utf-8") as file:
        n = next(line for line in file if not line.startswith("%")).split()[0]
    wait(page, f"/n = {n},/.test(document.querySelector('.verdict').innerText)", "the files were not read")


def folder_dropped(page, folder):
    """Drops a folder with the mouse."""
    wait(page, "document.querySelectorAll('.results tbody tr').length === 1", "no results")
    data = {"items": [], "files": [folder], "dragOperationsMask": 1}
    for kind in "dragEnter", "dragOver", "drop":
        page.send("Input.dispatchDragEvent", type=kind, x=300, y=15, data=data)  # outside the instrument: the page allows any place
    with open(os.path.join(folder, "A.mtx"), encoding="utf-8") as file:
        n = next(line for line in file if not line.startswith("%")).split()[0]
    wait(page, f"/n = {n},/.test(document.querySelector('.verdict').innerText)", "the folder was not read")
    assert page.evaluate("location.protocol") == "file:" and "play.html" in page.evaluate("location.href")


# ---- Lessons ----

def lesson(page, number):
    wait(page, "document.querySelector('.live')?.innerText.length > 30"
               " && !/computing/.test(document.querySelector('.live').innerText)", "no numbers")
    told = text(page, ".live")
    bold = [t for t in page.evaluate("[...document.querySelectorAll('.live b')].map(b => b.innerText)")]
    if number == 1:
        assert bold == ["1", "3"], told
        wait(page, "document.querySelector('.signs .here')?.innerText === '2'", "a < 0 < b has two solutions")
    elif number == 2:
        pgs, nncg, low, right, high = (int(t.split()[-1]) for t in bold)
        assert 3 * nncg < pgs and 2 * right < min(low, high), told
        grids = wait_rows(page, 3)
        left, sweeps, conjugate = ([float(row[k].split()[-1]) for row in grids] for k in (1, 2, 3))
        assert left == sorted(left) and left[0] < 0.9 < 0.98 < left[2] < 1, grids
        assert all(2 * c <= s for s, c in zip(sweeps[1:], conjugate[1:])) and sweeps[2] > 9 * sweeps[0], grids
    elif number == 3:
        assert float(bold[0]) > 0.1 and int(bold[1]) <= 3 and bold[2:] == ["solved", "solved"], told
        circle = re.findall(r"\([^()]*\)", told)[1:5]
        assert circle[0] == circle[3] and len(set(circle)) == 3, f"no circle of three: {circle}"
    elif number == 4:
        wait(page, "/cones: /.test(document.querySelector('.live').innerText)", "no cones")
        sizes = page.evaluate("[...document.querySelector('.live').querySelectorAll('b')].map(b => +b.innerText)")
        assert sizes[0] == 2 * sizes[1] == 2 * sizes[2], f"{sizes}: a normal row, four directions and one more, or three rows"
        for angle, word in (0.42, "rests"), (0.52, "slides"):  # tangents 0.45 and 0.57, below and above 0.5
            slide(page, "tilt", angle)
            page.evaluate("new Promise(done => setTimeout(done, 1500))")
            wait(page, f"/{round(math.degrees(angle))}°.*{word}/.test(document.querySelectorAll('.live')[1].innerText)", f"it {word} at {angle}")
    elif number == 5:
        grids = wait_rows(page, 4)
        cycles, sweeps = ([int(row[k]) for row in grids if row[k].isdigit()] for k in (1, 3))  # not "more than": a slow machine
        assert len(cycles) == 4 and len(sweeps) >= 3, grids
        assert max(cycles) <= min(cycles) + 2, cycles
        assert all(3 < b / a < 4.2 for a, b in zip(sweeps, sweeps[1:])), sweeps
    else:
        wait(page, f"{STAGE}?.history[0].length >= 60", "too few steps")
        bold = page.evaluate("[...document.querySelectorAll('.live b')].map(b => +b.innerText)")
        assert bold[1] > 2 * bold[0], bold
        recent = f"{STAGE}.history[0].slice(-20).reduce((t, n) => t + n.iterations, 0)"
        calm = page.evaluate(recent)
        click(page, "Drop a ball on the wall")
        wait(page, f"{recent} > 3 * {calm} + 20", "a blow does not cost iterations")


def wait_rows(page, count):
    """Returns the cells of a table with this number of rows in a grey box"""
    rows = "[...document.querySelectorAll('.live tbody tr')]"
    wait(page, f"{rows}.length === {count}", f"{count} rows")  # eight solves of up to 4 s each
    return page.evaluate(f"{rows}.map(r => [...r.cells].map(c => c.innerText))")


# ---- All pages ----

def fits_and_is_named(page):
    """No picture or menu is wider than a phone, and every control has a name."""
    page.evaluate("new Promise(done => setTimeout(done, 800))")
    wide = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{wide[0]} pixels on a screen of {wide[1]}"
    nameless = page.evaluate("""[...document.querySelectorAll('button, select, input, textarea, canvas, a')].filter(e =>
        !(e.getAttribute('aria-label') || e.labels?.length || e.textContent.trim() || e.title)).map(e => e.outerHTML)""")
    assert nameless == [], nameless[:3]


def soak(page, seconds):
    """Frames and memory while two scenes run."""
    wait(page, f"{STAGE}?.frames > 10", "nothing moves")
    sample = """(async () => { let bytes = 0;
        for (let k = 0; k < workers.length; k++) if (workers[k]) bytes += (await ask('memory', {}, k)).bytes;
        return [bytes, performance.memory.usedJSHeapSize]; })()"""
    page.send("HeapProfiler.collectGarbage")
    first = page.evaluate(sample)
    page.evaluate(f"{STAGE}.log = []")
    time.sleep(seconds)
    told = page.evaluate(f"{STAGE}.log")
    page.evaluate(f"{STAGE}.log = null")
    page.send("HeapProfiler.collectGarbage")
    last = page.evaluate(sample)
    print(f"  {len(told)} frames in {seconds:.0f} s; WebAssembly {first[0] / 1e6:.1f} to {last[0] / 1e6:.1f} MB, "
          f"JavaScript {first[1] / 1e6:.1f} to {last[1] / 1e6:.1f} MB")
    for name, values in ("longest step", [t[0] for t in told]), ("worker and messages", [t[1] for t in told]), \
            ("drawing", [t[2] for t in told]), ("together", [t[1] + t[2] for t in told]):
        values.sort()
        print(f"  {name}, ms at 50, 90, 99 %: " + ", ".join(f"{values[int(p * len(values))]:.1f}" for p in (0.5, 0.9, 0.99)))
    assert last[0] == first[0], "the memory of the module grows"
    assert last[1] < first[1] + 4e6, "the memory of the page grows"


def main():
    arguments = sys.argv[1:]
    build = os.path.abspath(arguments[0])
    option = {arguments[k]: arguments[k + 1] for k in range(1, len(arguments) - 1, 2)}
    shots, seconds, only = option.get("--shots"), float(option.get("--soak", 10)), option.get("--only", "")
    count = {"ok": 0, "FAIL": 0, "skip": 0}

    def test(name, function, *rest):
        if not name.startswith(tuple(only.split(","))):
            return
        state = "ok"
        try:
            function(*rest)
        except Skip as why:
            state = "skip"
            print(f"  skipped: {why}")
        except (AssertionError, RuntimeError, subprocess.SubprocessError) as error:
            state = "FAIL"
            print(f"  {error}")
        count[state] += 1
        print(f"{state:4} {name}", flush=True)

    test("bits_equal_native", bits_equal_native, build)
    test("page_is_small_and_alone", page_is_small_and_alone, build)
    if browser.find():
        with browser.Browser() as opened:
            run_pages(opened, f"file://{build}/play.html", test, shots, seconds)
    else:
        print("  skipped: there is no chromium\nskip pages")
        count["skip"] += 1
    print(f"{count['ok']} passed, {count['FAIL']} failed, {count['skip']} skipped")
    return 1 if count["FAIL"] else 0


def run_pages(opened, address, test, shots, seconds):
    def on(name, state, function, *rest, width=1100, height=900):
        def whole():
            page = opened.open(address + state, width=width, height=height)
            try:
                page.send("Network.enable")
                function(page, *rest)
                if shots:
                    page.picture(f"{shots}/{name}.png")
                asked = [e["params"]["request"]["url"] for e in opened.events
                         if e.get("sessionId") == page.session and e["method"] == "Network.requestWillBeSent"]
                asked = [url for url in asked if not url.startswith(("file:", "blob:", "data:"))]
                assert asked == [], asked
                assert page.errors == [], page.errors
            finally:
                page.close()
        test(name, whole)

    on("plane", "#plane", plane)
    on("plane_counts", "#plane", plane_counts)
    on("bodies", "#bodies?scene=bricks&size=4&a=nncg&b=pgs", bodies)
    on("space", "#bodies?scene=cards&a=nncg&b=none&arrows=yes", space, width=700, height=700)
    on("scenes", "#bodies?scene=discs&a=nncg&b=none", scenes, width=700, height=700)
    tower = "#bodies?scene=tower&size=2&a=nncg&b=pgs&deadline=0&tol=1e-8"
    on("throwing", f"{tower}&gravity=0", web_hands.throwing, width=500)
    on("friction", "#bodies?scene=tower&size=1&a=nncg&b=none&deadline=0&tol=1e-8", web_hands.friction, width=390)
    on("laws", "#bodies?scene=held&a=nncg&b=none", web_hands.laws, width=390)
    on("restitution", "#bodies?scene=discs&size=1&a=nncg&b=none&deadline=0&tol=1e-8", web_hands.restitution, width=390)
    on("deadline", "#bodies?scene=bricks&size=8&a=pgs&b=none&tol=1e-8&deadline=2&warm=no", web_hands.deadline, width=390)
    on("arrows", tower, web_hands.arrows, width=390)
    on("opens", "", opens, width=390, height=844)
    on("dolls", "#bodies?scene=ragdolls&a=nncg&b=none", dolls, width=390, height=844)
    on("pasted", "#convergence?A=2+-1;-1+2&b=-1+0.8&methods=lemke", pasted, width=390, height=844)
    on("fingers", "#bodies?scene=tower&size=4&a=nncg&b=none", fingers, width=390, height=844)
    on("restored", "#bodies?scene=tower&size=5&a=pgs&b=dantzig&mu=0.9", restored)
    on("liquids", "#liquids?scene=drop&cells=32", liquids)
    on("stirring", "#liquids?scene=drop&cells=32&sides=stick", web_hands.stirring, width=390)
    on("keyboard", "#liquids?scene=dam&cells=32&sides=stick", web_hands.keyboard, width=1600)
    on("reduced_motion", "#liquids?scene=dam&cells=32", web_hands.reduced_motion, width=390)
    on("columns", "#plane", web_hands.columns, cases)
    kept = []
    on("convergence", "#convergence?problem=pd:n=40&methods=pgs,lemke",
       lambda page: kept.append(convergence(page)))
    if kept:
        on("pasted_again", "#" + kept[0].split("#", 1)[1], pasted_again)
    folder = f"{ROOT}/tests/data/" + next(name for name in sorted(os.listdir(f"{ROOT}/tests/data"))
                                          if os.path.exists(f"{ROOT}/tests/data/{name}/A.mtx"))
    on("files_dropped", "#convergence?problem=pd:n=5&methods=pgs", files_dropped, folder)
    on("folder_dropped", "#convergence?problem=pd:n=5&methods=pgs", folder_dropped, folder)
    for number in range(1, 7):
        on(f"lesson_{number}", f"#lessons?lesson={number}", lesson, number)
    on("thumb_liquids", "#liquids?scene=dam&cells=32", web_hands.thumb_liquids, width=390, height=664)
    on("thumb_bodies", "#bodies?scene=bricks&size=6", web_hands.thumb_bodies, width=390, height=664)
    on("thumb_plane", "#plane", web_hands.thumb_plane, width=390, height=664)
    for name in "plane", "bodies", "liquids", "convergence", "lessons":
        on(f"phone_{name}", f"#{name}", fits_and_is_named, width=390, height=844)
        on(f"labels_{name}", f"#{name}", web_hands.labels, width=390, height=844)
    on("nonsense", "#convergence?problem=pd:n=5&methods=lemke", web_trouble.nonsense)
    on("stopped", "#convergence?problem=fluid:grid=200&methods=pgs&seconds=20&tol=1e-12", web_trouble.stopped)
    on("killed", "#bodies?scene=tower&size=3&a=nncg&b=none", web_trouble.killed)
    on("haste", "#plane", web_trouble.haste)
    on("strange_address", "#bodies?scene=7&size=-3&a=zzz&b=&deadline=soon&tol=&mu=1e9&tilt=NaN&colour=pink&tool=axe", web_trouble.strange_address)
    on("study_and_download", "#bodies?scene=tower&size=3&a=nncg&b=none", web_trouble.study_and_download)
    on("hover", "#convergence?problem=pd:n=40&methods=pgs,nncg", web_trouble.hover)
    on("addresses", "#plane", web_hostile.addresses, width=390)
    on("dragged_long", "#plane", web_hostile.dragged_long, width=390)
    on("no_shaders", "#bodies?scene=tower&size=3&a=nncg&b=none", web_hostile.no_shaders, SHARE, width=390)
    on("lost_finger", "#bodies?scene=tower&size=3&a=nncg&b=none", web_hostile.lost_finger, width=390)
    on("many_strokes", "#liquids?scene=dam&cells=32&sides=stick", web_hostile.many_strokes, width=390)
    on("alone", "#plane", web_hostile.alone, width=390)
    on("pastes", "#convergence?problem=pd:n=5&methods=pgs", web_hostile.pastes)
    on("two_folders", "#convergence?problem=pd:n=5&methods=pgs", web_hostile.two_folders, folder)
    on("pasted_often", "#plane", web_hostile.pasted_often, width=390)
    on("plane_at_once", "#lessons?lesson=3", web_hostile.plane_at_once, width=390)
    on("set_in_haste", "#bodies?scene=tower&size=3&a=nncg&b=none&deadline=0", web_hostile.set_in_haste, width=390)
    on("left_in_haste", "#bodies?scene=bricks&size=4&a=nncg&b=none", web_hostile.left_in_haste, width=390)
    on("endless_step", "#bodies?scene=tower&size=3&a=nncg&b=none", web_hostile.endless_step, width=390)
    # small pictures: a program draws them here
    on("soak", "#bodies?scene=discs&size=60&a=nncg&b=pgs", soak, seconds, width=390, height=844)
    if seconds > 10:
        on("soak_liquids", "#liquids?scene=dam&cells=128&sides=separate", soak, seconds, width=390, height=844)


if __name__ == "__main__":
    sys.exit(main())
