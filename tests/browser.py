"""browser.py: a page in headless Chromium, driven over its debugging pipe; needs only Python's library

    with Browser() as browser:
        page = browser.open("file:///tmp/report/index.html", dark=True)
        page.evaluate("document.title"), page.errors, page.picture("page.png"), page.pdf("page.pdf")
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, patience=300):
        self.patience = patience  # seconds to wait for an answer
        self.folder = tempfile.mkdtemp(prefix="browser")
        self.number = 0
        self.rest = b""
        self.events = []
        ours_read, its_write = os.pipe()
        its_read, ours_write = os.pipe()

        def connect():  # the browser reads commands from 3 and writes answers to 4
            low, high = os.dup(its_read), os.dup(its_write)
            os.dup2(low, 3)
            os.dup2(high, 4)

        call = [find(), "--headless", "--remote-debugging-pipe", "--no-sandbox",
                "--use-angle=swiftshader", "--enable-unsafe-swiftshader",  # WebGL without a graphics card
                "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
                "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
                f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(call, preexec_fn=connect, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its_read)
        os.close(its_write)
        self.read, self.write = ours_read, ours_write

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read)
        os.close(self.write)
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self, until):
        """The next message, or None at that time."""
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read], [], [], left)[0]:
                return None
            block = os.read(self.read, 1 << 20)
            if not block:
                raise RuntimeError("the browser ended")
            self.rest += block
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def send(self, method, session=None, **parameters):
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if session:
            call["sessionId"] = session
        data = json.dumps(call).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        until = time.monotonic() + self.patience
        while True:
            answer = self.message(until)
            if answer is None:
                raise RuntimeError(f"no answer to {method} within {self.patience} s")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def open(self, address, width=1100, height=900, dark=False):
        return Page(self, address, width, height, dark)


class Page:
    def __init__(self, browser, address, width, height, dark):
        self.browser = browser
        self.target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=self.target,
                                    flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        self.send("Page.bringToFront")  # hidden pages are not animated
        self.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.send("Page.navigate", url=address)
        until = time.monotonic() + browser.patience
        while self.evaluate("location.href == 'about:blank' ? '' : document.readyState") \
                != "complete":
            if time.monotonic() > until:
                raise RuntimeError(f"{address} is not loaded within {browser.patience} s")
            time.sleep(0.05)

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def evaluate(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            what = answer["exceptionDetails"]
            raise RuntimeError(what.get("exception", {}).get("description", what["text"]))
        return answer["result"].get("value")

    @property
    def errors(self):
        """Returns the errors and warnings on the console of the page."""
        self.evaluate("0")  # reads what came since the last answer
        told = []
        for event in self.browser.events:
            what = event["params"]
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Runtime.exceptionThrown":
                details = what["exceptionDetails"]
                told.append(f"{details['text']} {details.get('exception', {}).get('description', '')}")
            elif event["method"] == "Log.entryAdded" and what["entry"]["level"] in ("error",
                                                                                      "warning"):
                told.append(f"{what['entry']['text']} {what['entry'].get('url', '')}")
            elif event["method"] == "Runtime.consoleAPICalled" and what["type"] in (
                    "error", "warning", "assert"):
                told.append(" ".join(str(a.get("value", "")) for a in what["args"]))
        return told

    def picture(self, path, clip=None):
        """A PNG of the whole page, or of the rectangle x, y, width, height of it."""
        if clip is None:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            clip = (0, 0, size["width"], size["height"])
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                         clip=dict(zip(("x", "y", "width", "height"), clip), scale=1))["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))

    def pdf(self, path):
        data = self.send("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))
