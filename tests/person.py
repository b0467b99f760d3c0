"""person.py: a person at the playground: pointer, keys, buttons, waiting; see test_web.py"""
import time

STAGE = "document.querySelector('#instrument > div').stage"


def wait(page, condition, what, seconds=300):
    until = time.monotonic() + seconds
    while not page.evaluate(condition):
        if time.monotonic() > until:
            raise AssertionError(f"{what} within {seconds} s; the page says: "
                                 + page.evaluate("(document.querySelector('#instrument') ?? document.body).innerText")[:400])
        time.sleep(0.05)


def box(page, selector, index=0):
    return page.evaluate(f"""(() => {{ const e = document.querySelectorAll({selector!r})[{index}];
        e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect();
        return [b.left, b.top, b.width, b.height]; }})()""")


def mouse(page, kind, x, y, button="left", buttons=1):
    page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1,
              buttons=buttons if kind != "mouseReleased" else 0)


def drag(page, points, pause=0.05):
    mouse(page, "mousePressed", *points[0])
    for point in points[1:]:
        mouse(page, "mouseMoved", *point)
        time.sleep(pause)
    mouse(page, "mouseReleased", *points[-1])


def press(page, key, code=0):
    for kind in "keyDown", "keyUp":
        page.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)


def click(page, text):
    page.evaluate(f"""[...document.querySelectorAll('#instrument button')].find(
        b => b.textContent === {text!r}).click()""")


def text(page, selector):
    return page.evaluate(f"document.querySelector({selector!r})?.innerText ?? ''")


def slide(page, name, value):
    """Drags the slider of that name"""
    page.evaluate(f"""{{ const s = document.querySelector('[aria-label="{name}"]'); s.value = {value};
        s.dispatchEvent(new Event('input')); }}""")


def pause(page):
    page.evaluate(f"{STAGE}.playing && [...document.querySelectorAll('button')].find(b => b.textContent === 'Pause').click()")
    time.sleep(0.1)


def step(page, count, value="null"):
    """Makes `count` steps of a paused scene and draws after every ten; returns the value after each."""
    told = []
    while len(told) < count:
        told += page.evaluate(f"""(async () => {{ const s = {STAGE}, told = [], draw = s.draw;
            s.draw = () => {{}};
            for (let k = 0; k < {min(10, count - len(told))}; k++) {{
              for (const frames = s.frames; s.frames === frames && !s.lost;) {{ s.once(); await new Promise(done => setTimeout(done, 2)); }}
              told.push({value}); }}
            s.draw = draw; draw();
            return told; }})()""")
    return told
