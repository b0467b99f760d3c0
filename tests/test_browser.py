#!/usr/bin/env python3
"""tests/test_browser.py PERP [SHOTS]: pages of perp simulate in a browser

Opens a page of each kind in headless Chromium, presses play, scrubs, changes the colours, and sees
that the canvas changes and nothing is complained of. With SHOTS, a folder, screenshots stay there.
The browser is spoken to by its DevTools protocol through two pipes: JSON texts that end with a zero
byte. Skipped where there is no Chromium."""
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

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
    ("joints", ["ragdolls:n=2", "--steps", "60", "--method", "nncg", "--max-iter", "100"], 1),
]


class Browser:
    def __init__(self, program, home):
        to_read, self.to = os.pipe()
        self.of, to_write = os.pipe()
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu",
                   "--disable-dev-shm-usage", "--disable-backgrounding-occluded-windows",
                   "--disable-renderer-backgrounding", "--window-size=1200,1000",
                   "--user-data-dir=" + home, "--remote-debugging-pipe", "about:blank"]
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "sh", *command],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.text, self.number, self.target, self.session, self.events = b"", 0, None, None, []

    def receive(self, patience):
        end = time.monotonic() + patience
        while b"\0" not in self.text:
            if not select.select([self.of], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError("the browser does not answer")
            some = os.read(self.of, 1 << 20)
            assert some, "the browser has gone"
            self.text += some
        message, self.text = self.text.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, patience=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(patience)
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        """A new page; returns when it is loaded."""
        self.session = None
        if self.target:
            self.call("Target.closeTarget", targetId=self.target)
        self.target = target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log":
            self.call(domain + ".enable")
        self.call("Page.bringToFront")  # what is hidden is not animated
        self.events.clear()
        self.call("Page.navigate", url="file://" + path)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.receive(60))

    def value(self, expression):
        r = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                      returnByValue=True)
        assert "exceptionDetails" not in r, r
        return r["result"].get("value")

    def complaints(self):
        self.value("0")  # what is on its way comes before the answer
        return [e for e in self.events
                if e.get("method") == "Runtime.exceptionThrown"
                or (e.get("method") == "Runtime.consoleAPICalled"
                    and e["params"]["type"] in ("error", "warning", "assert"))
                or (e.get("method") == "Log.entryAdded"
                    and e["params"]["entry"]["level"] == "error")]

    def shot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self):
        self.process.terminate()
        self.process.wait(20)


SEEN = "[...document.querySelectorAll('#views canvas')].map(c => c.toDataURL())"
WAIT = "new Promise(done => setTimeout(done, 300))"
FRAME = "+document.getElementById('scrub').value"


def look(browser, path, views, shot):
    browser.open(path)
    first = browser.value(SEEN)
    assert len(first) == views, f"{len(first)} views, not {views}"
    assert browser.value("document.querySelectorAll('#plots canvas').length") >= 4, "no plots"
    spectrum = "[...document.querySelectorAll('#plots b')].some(b => /eigenvalues/.test(b.textContent))"
    assert browser.value(spectrum) == ("spectrum" in os.path.basename(path)), "the spectrum"
    assert browser.value("Math.max(...[...document.querySelectorAll('#views canvas')]"
                         ".map(c => c.clientHeight)) < innerHeight"), "higher than the window"
    browser.value("document.getElementById('speed').value = '0.1'")
    browser.value("document.getElementById('play').click()")
    for _ in range(50):
        browser.value(WAIT)
        if browser.value(FRAME) > 2:
            break
    browser.value("""{ const b = document.getElementById('play');
                      if (b.textContent === 'Pause') b.click(); }""")
    browser.value(WAIT)
    played = browser.value(SEEN)
    assert browser.value(FRAME) > 2, "play does not play"
    assert all(a != b for a, b in zip(first, played)), "nothing moved while it played"
    browser.value(WAIT)
    assert browser.value(SEEN) == played, "pause does not pause"
    browser.value("""{ const s = document.getElementById('scrub'); s.value = s.max;
                      s.dispatchEvent(new Event('input')); }""")
    last = browser.value(SEEN)
    assert all(a != b for a, b in zip(first, last)), "scrubbing shows nothing new"
    when = browser.value("document.getElementById('when').textContent")
    assert browser.value("document.getElementById('scrub').max") in when, when
    if shot:
        browser.shot(shot)
    browser.value("""{ const s = document.getElementById('scrub'); s.value = 0;
                      s.dispatchEvent(new Event('input')); }""")
    assert browser.value(SEEN) == first, "the first frame is not the first frame any more"
    rows = browser.value("document.querySelectorAll('#parameters tr').length")
    assert rows == views + 1, f"{rows} rows of parameters"
    assert browser.complaints() == [], browser.complaints()


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        print("  skipped: there is no chromium\nskip pages\n0 passed, 0 failed, 1 skipped")
        return 0
    perp = os.path.abspath(sys.argv[1])
    shots = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    count = {"ok": 0, "FAIL": 0, "skip": 0}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        browser = Browser(program, place + "/home")
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
                look(browser, path, views, shots and f"{shots}/{name}.png")
            except AssertionError as error:
                state = "FAIL"
                print(f"  {error}")
            count[state] += 1
            print(f"{state:4} {name}", flush=True)
        browser.close()
    print(f"{count['ok']} passed, {count['FAIL']} failed, {count['skip']} skipped")
    return 1 if count["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
