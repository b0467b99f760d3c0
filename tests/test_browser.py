#!/usr/bin/env python3
"""tests/test_browser.py PERP [SHOTS]: pages of perp simulate in a browser

Opens a page of each kind in headless Chromium, presses play, scrubs, changes the colours, and sees
that the canvas changes and nothing is complained of. With SHOTS, a folder, screenshots stay there.
Skipped where there is no Chromium."""
import os
import subprocess
import sys
import tempfile

import browser

PAGES = [  # name, what perp simulate is called with, views on the page
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
    ("joints", ["ragdolls:n=2", "--steps", "60", "--method", "nncg", "--max-iter", "100"], 1),
]


SEEN = "[...document.querySelectorAll('#views canvas')].map(c => c.toDataURL())"
WAIT = "new Promise(done => setTimeout(done, 300))"
FRAME = "+document.getElementById('scrub').value"


def look(page, path, views, shot):
    first = page.evaluate(SEEN)
    assert len(first) == views, f"{len(first)} views, not {views}"
    assert page.evaluate("document.querySelectorAll('#plots canvas').length") >= 4, "no plots"
    spectrum = "[...document.querySelectorAll('#plots b')].some(b => /eigenvalues/.test(b.textContent))"
    assert page.evaluate(spectrum) == ("spectrum" in os.path.basename(path)), "the spectrum"
    assert page.evaluate("Math.max(...[...document.querySelectorAll('#views canvas')]"
                         ".map(c => c.clientHeight)) < innerHeight"), "higher than the window"
    page.evaluate("document.getElementById('speed').value = '0.1'")
    page.evaluate("document.getElementById('play').click()")
    for _ in range(50):
        page.evaluate(WAIT)
        if page.evaluate(FRAME) > 2:
            break
    page.evaluate("""{ const b = document.getElementById('play');
                      if (b.textContent === 'Pause') b.click(); }""")
    page.evaluate(WAIT)
    played = page.evaluate(SEEN)
    assert page.evaluate(FRAME) > 2, "play does not play"
    assert all(a != b for a, b in zip(first, played)), "nothing moved while it played"
    page.evaluate(WAIT)
    assert page.evaluate(SEEN) == played, "pause does not pause"
    page.evaluate("""{ const s = document.getElementById('scrub'); s.value = s.max;
                      s.dispatchEvent(new Event('input')); }""")
    last = page.evaluate(SEEN)
    assert all(a != b for a, b in zip(first, last)), "scrubbing shows nothing new"
    texts = "[...document.querySelectorAll('%s figcaption')].map(c => c.textContent)"
    engines = "engines" in os.path.basename(path)
    none = [text for text in page.evaluate(texts % "#plots") if "ODE: none" in text]
    assert len(none) == (3 if engines else 0), none  # residual, iterations, rows
    notes = ["by ODE, not judged" in text for text in page.evaluate(texts % "#views")]
    assert notes == [engines and k == 1 for k in range(views)], notes
    when = page.evaluate("document.getElementById('when').textContent")
    assert page.evaluate("document.getElementById('scrub').max") in when, when
    if shot:
        page.picture(shot)
    page.evaluate("""{ const s = document.getElementById('scrub'); s.value = 0;
                      s.dispatchEvent(new Event('input')); }""")
    assert page.evaluate(SEEN) == first, "the first frame is not the first frame any more"
    rows = page.evaluate("document.querySelectorAll('#parameters tr').length")
    assert rows == views + 1, f"{rows} rows of parameters"
    assert page.errors == [], page.errors


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
            made = subprocess.run([perp, "simulate", *call, "--html", path], timeout=60,
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
                look(page, path, views, shots and f"{shots}/{name}.png")
                page.close()
            except (AssertionError, RuntimeError) as error:
                state = "FAIL"
                print(f"  {error}")
            count[state] += 1
            print(f"{state:4} {name}", flush=True)
    print(f"{count['ok']} passed, {count['FAIL']} failed, {count['skip']} skipped")
    return 1 if count["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
