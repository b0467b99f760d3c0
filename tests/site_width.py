#!/usr/bin/env python3
"""site_width.py FOLDER: no page of the site is wider than a telephone of 390 points

Ends with a line 'N passed, N failed, N skipped'."""

import glob
import os
import sys

from browser import Browser, find

# what sticks out of the page, and not of a part that scrolls
WIDE = """[...document.querySelectorAll('article *')].filter(e => {
  if (e.getBoundingClientRect().right <= 390.5) return false;
  for (let a = e.parentElement; a; a = a.parentElement)
    if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(a).overflowX)) return false;
  return true;
}).slice(0, 3).map(e => e.tagName + ': ' + e.textContent.slice(0, 40)).join('; ')"""


def main(folder):
    if not find():
        print("skip: there is no chromium\n0 passed, 0 failed, 1 skipped")
        return 0
    passed = failed = 0
    with Browser() as browser:
        for path in sorted(glob.glob(os.path.join(folder, "**", "*.html"), recursive=True)):
            name = os.path.relpath(path, folder)
            if name.startswith("source/") or name == "playground.html":
                continue
            page = browser.open("file://" + os.path.abspath(path), width=390, height=900)
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > 390:
                print(f"FAIL {name} is {width} points wide: {page.evaluate(WIDE)}")
            passed, failed = passed + (width <= 390), failed + (width > 390)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
