"""web_hands.py: measures the effect of pointer and touch on the playground's scenes; see test_web.py

Scenes are paused and stepped one by one, so that a hand moves at a known speed in the time of the scene,
however slow the machine is. Results are compared with mechanics."""
import math
import statistics
import time

from person import STAGE, box, click, drag, mouse, pause, press, slide, step, text, wait

AT = """(() => {{ const s = {stage}, r = s.runs[0], c = s.views[0].canvas, b = c.getBoundingClientRect();
    s.draw();
    const [x, y] = c.view.screen([r.pose[3 * {shape}], r.pose[3 * {shape} + 1]]);
    return [b.left + x / c.width * b.width, b.top + y / c.height * b.height, c.view.s * b.width / c.width]; }})()"""


def place_of(page, shape):
    """Returns the screen position of a body in the left picture, and pixels per metre."""
    box(page, ".views canvas")
    return page.evaluate(AT.format(stage=STAGE, shape=shape))


def first_moving(page):
    return page.evaluate(f"{STAGE}.runs[0].shapes.findIndex(t => !t.fixed)")


def begin(page):
    wait(page, f"{STAGE}?.frames > 0", "nothing moves")
    pause(page)
    wait(page, f"{STAGE}.h > 0", "no time step")
    return page.evaluate(f"{STAGE}.h")


def throwing(page):
    """Without gravity a released body keeps the speed of the hand, in both pictures."""
    h = begin(page)
    shape = page.evaluate(f"{STAGE}.runs[0].shapes.length - 1")
    x, y, scale = place_of(page, shape)
    x, y = round(x), round(y)
    mouse(page, "mousePressed", x, y)
    for k in range(1, 26):
        mouse(page, "mouseMoved", x + 3 * k, y - k)
        step(page, 1)
    mouse(page, "mouseReleased", x + 75, y - 25)
    hand = (3 / scale / h, 1 / scale / h)
    path = step(page, 10, f"s.runs.map(r => [r.pose[3 * {shape}], r.pose[3 * {shape} + 1]])")
    for run in range(2):
        for d in range(2):
            speed = (path[-1][run][d] - path[0][run][d]) / (9 * h)
            assert abs(speed - hand[d]) < 0.05 * math.hypot(*hand), (run, d, speed, hand)


def friction(page):
    """On a slope of 0.5 rad a body stays while mu is 0.8, and slides with g (sin - mu cos) when it is set to 0.2."""
    h = begin(page)
    shape, angle = first_moving(page), 0.5
    where = f"s.runs[0].pose[3 * {shape}]"
    slide(page, "friction μ", 0.8)
    slide(page, "tilt", angle)
    told = step(page, 40, where)
    assert abs(told[-1] - told[10]) < 1e-3, f"it slides by {told[-1] - told[10]} m"
    slide(page, "friction μ", 0.2)
    told = step(page, 31, where)
    n = 30
    slope = (told[n] - told[n - 1] - (told[1] - told[0])) / ((n - 1) * h * h)
    expected = 9.81 * (math.sin(angle) - 0.2 * math.cos(angle))
    assert abs(slope - expected) < 0.03 * expected, (slope, expected)


def laws(page):
    """A ball rolls and a spinning ball stops as the formulas say, a block at rest holds beyond mu."""
    def kinetic(scene, count):
        page.evaluate(f"location.hash = '#bodies?scene={scene}&a=bgs&b=none&deadline=0&tol=1e-10'")
        h = begin(page)
        click(page, "Restart")
        wait(page, f"{STAGE}.frames === 0", "the scene does not begin again")
        return h, step(page, count, "s.runs[0].numbers.kinetic")

    mass, g = 1000 * 4 / 3 * math.pi * 0.1**3, 9.81
    h, told = kinetic("rolling", 40)
    speed = [math.sqrt(k / (0.7 * mass)) for k in told]  # 1/2 m v^2 + 1/5 m v^2
    slope = (speed[-1] - speed[9]) / (30 * h)
    expected = 5 / 7 * g * (0.05 - 0.004 / 0.1) / math.sqrt(1 + 0.05**2)
    assert abs(slope - expected) < 0.02 * expected, (slope, expected)
    stop = 0.4 * 0.01 * 20 / (0.01 * g)
    h, told = kinetic("spinner", 200)
    still = next(k for k, energy in enumerate(told) if energy < 1e-6 * told[0])
    assert abs(still * h - stop) < 0.02, (still * h, stop)
    h, told = kinetic("held", 40)
    assert max(told[10:]) < 1e-12, told
    slide(page, "tilt", 0.6)  # its tangent is above mu_static
    step(page, 20)
    angle = 0.5  # between mu and mu_static
    slide(page, "tilt", angle)
    told = step(page, 21, "s.runs[0].numbers.kinetic")
    mass = 8 * 0.2 * 0.15 * 0.05 * 1000
    speed = [math.sqrt(2 * k / mass) for k in told]
    expected = g * (math.sin(angle) - 0.5 * math.cos(angle))
    assert abs((speed[20] - speed[0]) / (20 * h) - expected) < 0.03 * expected, (speed, expected)


def restitution(page):
    """A falling disc returns to e^2 of its height, and does not bounce if e is 0."""
    begin(page)
    shape = first_moving(page)
    slide(page, "restitution", 0.8)
    top = page.evaluate(f"{STAGE}.runs[0].pose[{3 * shape + 1}]")

    def fall():
        """Returns heights until it has reversed twice, at the ground and at the top, or is at rest"""
        told = []
        while len(told) < 160:
            told += step(page, 20, f"s.runs[0].pose[{3 * shape + 1}]")
            low = min(range(len(told)), key=told.__getitem__)
            high = max(range(low, len(told)), key=told.__getitem__)
            if low + 20 < len(told) and high < len(told) - 1:
                break
        return told[low], told[high]

    ground, back = fall()
    share = (back - ground) / (top - ground)
    assert 0.5 < share < 0.75, f"{share} of the height, 0.64 was expected"
    slide(page, "restitution", 0)
    ground, again = fall()
    assert again - ground < 0.05 * (back - ground), (ground, back, again)


def deadline(page):
    """A slow method is cut off at the deadline, which the page shows."""
    begin(page)
    assert "of 2 ms" in text(page, ".views figcaption"), text(page, ".views figcaption")
    quick = step(page, 12, "s.runs[0].numbers.solve")
    assert page.evaluate(f"{STAGE}.limit") == 2
    slide(page, "deadline", 0)
    slow = step(page, 4, "s.runs[0].numbers.solve")
    quick, slow = min(quick), min(slow)  # the machine may stop a solve for a while
    print(f"  solves of {quick:.1f} ms within a deadline of 2 ms, {slow:.1f} ms without")
    assert slow > 10 * quick, (quick, slow)
    assert "of 2 ms" not in text(page, ".views figcaption")


def arrows(page):
    """Forces are drawn on request; both methods give the same ground force for a tower at rest."""
    begin(page)
    step(page, 90)
    sums = page.evaluate(f"""{STAGE}.runs.map(r => {{ let most = 0;
        for (let k = 0; k < r.arrow.length; k += 4) most += r.arrow[k + 1] < 0.01 ? r.arrow[k + 3] : 0; return Math.abs(most); }})""")
    pictures = []
    for _ in range(2):
        pictures.append(page.evaluate(f"{STAGE}.draw(), {STAGE}.views[0].canvas.toDataURL()"))
        page.evaluate("[...document.querySelectorAll('label.check')].find(l => /forces/.test(l.textContent)).firstChild.click()")
    assert pictures[0] != pictures[1], "no arrows are drawn"
    assert "arrows=" in page.evaluate("location.hash")
    assert sums[0] > 0 and abs(sums[0] - sums[1]) < 0.02 * sums[0], sums


# ---- Liquids ----

def stirring(page):
    """The stirred part of a pool at rest moves along with the hand; a wall that was erased lets liquid in."""
    h = begin(page)
    step(page, 2)
    left, top, width, height = box(page, ".views canvas")
    where = "Array.from(s.runs[0].particle)"
    lo, hi = (page.evaluate(f"{STAGE}.runs[0].{end}") for end in ("lo", "hi"))
    click(page, "Stir")
    x, y = left + 0.45 * width, top + 0.9 * height
    mouse(page, "mousePressed", x, y)
    before = step(page, 1, where)[0]
    for k in range(1, 5):
        mouse(page, "mouseMoved", x + 0.02 * k * width, y)
        after = step(page, 1, where)[0]
        before, last = after, before
    mouse(page, "mouseReleased", x + 0.08 * width, y)
    cx, cy = page.evaluate(f"""(() => {{ const c = {STAGE}.views[0].canvas, b = c.getBoundingClientRect();
        return c.view.at({x + 0.08 * width - left} / b.width * c.width, {y - top} / b.height * c.height); }})()""")
    moved, still = [], []
    for k in range(0, min(len(before), len(last)), 2):
        px, py = (lo[d] + (hi[d] - lo[d]) * last[k + d] / 65535 for d in range(2))
        speed = (hi[0] - lo[0]) * (before[k] - last[k]) / 65535 / h
        far = math.hypot(px - cx, py - cy)
        if far < 0.04:
            moved.append(speed)
        elif abs(px - cx) > 0.4 and py < cy + 0.05:
            still.append(abs(speed))
    assert len(moved) > 5 and len(still) > 5, (len(moved), len(still))
    assert statistics.mean(moved) > 0.2 > 2 * statistics.mean(still), (statistics.mean(moved), statistics.mean(still))
    inside = f"""(r => {{ let n = 0; for (let k = 0; k < r.first[1]; k++) {{
        const p = dropAt(r, k); n += Math.hypot(p[0] - {cx}, p[1] - {cy}) < 0.05; }} return n; }})(s.runs[0])"""
    click(page, "Raise walls")
    spot = (x + 0.08 * width, y)
    drag(page, [spot, spot])
    assert step(page, 25, inside)[-1] == 0, "liquid in a wall"
    click(page, "Erase walls")
    drag(page, [spot, (spot[0] + 2, spot[1]), spot])
    assert step(page, 60, inside)[-1] > 3, "no liquid where a wall was erased"


# ---- Fingers on a phone ----

def touch(page, kind, *points):
    page.send("Input.dispatchTouchEvent", type=kind,
              touchPoints=[{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)])


def swipe(page, x, y, far):
    """Swipes one finger upwards by some pixels; returns how far the page moved"""
    before = page.evaluate("scrollY")
    touch(page, "touchStart", (x, y))
    for k in range(1, 11):
        touch(page, "touchMove", (x, y - far * k / 10))
        time.sleep(0.03)
    touch(page, "touchEnd")
    time.sleep(0.3)
    return page.evaluate("scrollY") - before


def thumb_liquids(page):
    """Two pictures fit on a phone; a finger in them pours, a finger outside the liquid's box scrolls the page."""
    page.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    begin(page)
    ends = page.evaluate(f"{STAGE}.views.map(v => v.canvas.getBoundingClientRect()).map(b => [b.top, b.bottom])")
    assert ends[1][0] >= ends[0][1] and ends[1][1] - ends[0][0] < page.evaluate("innerHeight"), ends
    left, top, width, height = box(page, ".views canvas")
    count = page.evaluate(f"{STAGE}.runs[0].first[1]")
    assert swipe(page, left + 8, top + 0.8 * height, 60) > 20, "the page does not scroll"
    assert page.evaluate(f"{STAGE}.runs[0].first[1]") == count, "a finger beside the box pours"
    left, top, width, height = box(page, ".views canvas")
    assert swipe(page, left + 0.5 * width, top + 0.5 * height, 60) == 0, "the page scrolls under a finger that pours"
    wait(page, f"{STAGE}.runs[0].first[1] > {count}", "a finger pours nothing")


def thumb_bodies(page):
    """A finger grips a small body near it, and scrolls the page if there is none."""
    page.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    begin(page)
    shape = page.evaluate(f"{STAGE}.runs[0].shapes.length - 1")
    x, y, scale = place_of(page, shape)
    size = page.evaluate(f"Math.max(...{STAGE}.runs[0].shapes[{shape}].corner.filter((_, k) => k % 2))")
    off = size * scale + 9  # above its upper edge
    touch(page, "touchStart", (x, y - off))
    touch(page, "touchMove", (x, y - off - 10))
    held = page.evaluate(f"{STAGE}.runs.map(r => r.held)")
    touch(page, "touchEnd")
    assert held == [shape, shape], held
    left, top, width, height = box(page, ".views canvas")
    assert swipe(page, left + 0.1 * width, top + 0.3 * height, 60) > 20, "the page does not scroll"


def thumb_plane(page):
    """A finger near b drags it; elsewhere it scrolls the page, and a tap brings b there."""
    page.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    wait(page, "/one solution/.test(document.querySelector('.verdict')?.innerText)", "no verdict")
    left, top, width, height = box(page, "canvas.figure")
    b = "['b₁', 'b₂'].map(name => +document.querySelector(`[aria-label=\"${name}\"]`).value)"
    scale, x, y = min(width, height) / 2 / 2.5, left + width / 2, top + height / 2
    before = page.evaluate(b)
    assert swipe(page, left + 0.9 * width, y, 60) > 20 and page.evaluate(b) == before, "the page does not scroll"
    left, top, width, height = box(page, "canvas.figure")
    x, y = left + width / 2, top + height / 2
    assert swipe(page, x - scale + 6, y - 0.8 * scale + 6, 40) == 0 and page.evaluate(b)[1] > before[1] + 0.3, "b is not dragged"
    touch(page, "touchStart", (left + 0.9 * width, top + 0.1 * height))
    touch(page, "touchEnd")
    wait(page, f"{b}.every(v => v > 1)", "a tap does not bring b there")


# ---- The plane ----

def columns(page, cases):
    """The end of a column, dragged: A and the number of solutions follow."""
    wait(page, "/one solution/.test(document.querySelector('.verdict')?.innerText)", "no verdict")
    left, top, width, height = box(page, "canvas.figure")
    middle, scale = (left + width / 2, top + height / 2), min(width, height) / 2 / 2.5
    # -A_1 is (-2, 1); to (1, -1.5): A becomes (-1 -1; 1.5 2)
    points = [(middle[0] + scale * px, middle[1] - scale * py) for px, py in ((-2, 1), (-1, 0.2), (0, -1), (1, -1.5))]
    drag(page, points)
    A = [float(page.evaluate(f"document.querySelector('[aria-label=\"{name}\"]').value")) for name in ("A₁₁", "A₁₂", "A₂₁", "A₂₂")]
    assert A[1] == -1 and A[3] == 2 and abs(A[0] + 1) < 0.1 and abs(A[2] - 1.5) < 0.1, A
    count = len(cases([A[:2], A[2:]], [-1, 0.8]))
    words = {0: "no solution", 1: "one solution"}.get(count, f"{count} solutions")
    wait(page, f"document.querySelector('.verdict').innerText.includes({words!r})", f"{words} for {A}")
    # an edited example can be chosen again; Lemke's path, pivot by pivot
    assert page.evaluate("document.querySelector('[aria-label=\"example\"]').value") == "", "an example is said to be shown"
    page.evaluate("""{ const menu = document.querySelector('[aria-label="example"]'); menu.value = 'two rows that depend on each other'; menu.onchange(); }""")
    rows = "[...document.querySelectorAll('.results')[0].querySelectorAll('tbody tr')].map(r => r.innerText.split('\\t'))"
    wait(page, f"{rows}.length > 1 && {rows}.at(-1)[3] === '0'", "the path does not end at z0 = 0")
    whole = page.evaluate(rows)
    page.evaluate("document.querySelector('[aria-label=\"one pivot back\"]').click()")
    assert page.evaluate(rows) == whole[:-1], "one pivot back"
    page.evaluate("document.querySelector('[aria-label=\"one pivot on\"]').click()")
    assert page.evaluate(rows) == whole, "one pivot on"
    heights = [float(r[3]) for r in whole]
    assert heights == sorted(heights, reverse=True), heights
    # the iterates end where the circle of the solution is
    x = page.evaluate("[...document.querySelectorAll('.results')[1].querySelectorAll('tbody tr')].map(r => r.cells[4].innerText)")
    assert len(x) == 2 and x[0] == x[1] == whole[-1][4], (x, whole[-1])


# ---- Keyboard only ----

def keyboard(page):
    """Tab reaches every control of an instrument, and keys work on each."""
    wait(page, f"{STAGE}?.frames > 0", "nothing moves")
    page.evaluate("document.activeElement.blur()")
    visited = set()
    for _ in range(60):
        press(page, "Tab", 9)
        visited.add(page.evaluate("(e => e === document.body ? '' : e.getAttribute('aria-label') || e.textContent.trim())(document.activeElement)"))
    needed = page.evaluate("""[...document.querySelectorAll('nav a, button, select, input, canvas[tabindex]')].filter(e => e.checkVisibility()
        && e.type !== 'checkbox').map(e => e.getAttribute('aria-label') || e.textContent.trim())""")
    assert set(needed) <= visited, set(needed) - visited
    page.evaluate("document.querySelector('.views canvas').focus()")
    playing = page.evaluate(f"{STAGE}.playing")
    press(page, " ", 32)
    wait(page, f"{STAGE}.playing === {str(not playing).lower()}", "space does not pause")
    count = page.evaluate(f"{STAGE}.runs[0].first[1]")
    for _ in range(3):
        press(page, "ArrowUp", 38)
    press(page, "Enter", 13)
    wait(page, f"{STAGE}.runs[0].first[1] > {count}", "Enter pours nothing")
    page.send("Input.dispatchKeyEvent", type="keyDown", key="4", modifiers=1, windowsVirtualKeyCode=52)
    wait(page, "document.querySelector('#instrument').dataset.name === 'convergence'", "Alt and 4 do nothing")


def reduced_motion(page):
    """With reduced motion a scene is at rest, and can be started."""
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    page.send("Page.reload")
    time.sleep(0.5)
    wait(page, "document.querySelector('#instrument > div')?.stage?.runs.length > 0", "no scene")
    page.evaluate("new Promise(done => setTimeout(done, 400))")
    assert page.evaluate(f"{STAGE}.frames") == 0, "it moves by itself"
    click(page, "Play")
    wait(page, f"{STAGE}.frames > 3", "Play does nothing")


NAMED = {"button", "slider", "combobox", "checkbox", "textbox", "link", "spinbutton", "img", "image", "application", "textField"}


def labels(page):
    """In the tree that a screen reader sees every control and picture has a name."""
    page.evaluate("new Promise(done => setTimeout(done, 500))")
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    seen = [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n["ignored"]]
    nameless = [role for role, name in seen if role in NAMED and not name.strip()]
    assert nameless == [], nameless
    assert sum(role in NAMED for role, _ in seen) > 8, seen
    assert {"main", "navigation"} <= {role for role, _ in seen}, "no landmarks"
    assert page.evaluate("[...document.querySelectorAll('nav [aria-current]')].map(a => a.getAttribute('aria-current')).join()") == "page", "which tab is open"
    sliders = page.evaluate("[...document.querySelectorAll('input[type=range]')].map(e => [e.getAttribute('aria-valuetext'), e.nextSibling.textContent])")
    assert all(said == shown != "" for said, shown in sliders), sliders
