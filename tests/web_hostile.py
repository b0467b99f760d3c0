"""web_hostile.py: addresses, pastes, folders and hands that mean no good; see test_web.py"""
from person import wait

SAID = "document.querySelector('#instrument').innerText"


def addresses(page):
    """Whatever the address says, an instrument opens and every menu shows what is set."""
    for address in ("#constructor", "#__proto__?a=1", "#toString", "#lessons?lesson=1.5", "#lessons?lesson=-1e9", "#lessons?lesson=Infinity",
                    "#bodies?scene=tower&size=2&tol=3e-5&a=constructor", "#convergence?problem=pd:n=3&methods=pgs&tol=0.5", "#%E0%A4%A", "#plane?A=,,,&pivot=1e9"):
        page.evaluate(f"location.hash = {address!r}")
        wait(page, f"{SAID}.length > 300 && !!document.querySelector('nav a[aria-current]')", f"{address} shows nothing", 20)
        wait(page, "document.querySelectorAll('select, .lessons-list').length > 0", f"{address}: no menus", 20)
        empty = page.evaluate("[...document.querySelectorAll('select')].filter(e => e.selectedIndex < 0).map(e => e.ariaLabel)")
        assert empty == [], f"{address}: empty menus {empty}"
        assert page.errors == [], f"{address}: {page.errors}"


def dragged_long(page):
    """A slider that is dragged for long writes fewer addresses than a browser takes, and the last one."""
    wait(page, "!!document.querySelector('.verdict')?.innerText", "no verdict")
    count = page.evaluate("""(async () => {
        const slider = document.querySelector('[aria-label="a"]'), real = history.replaceState.bind(history);
        let count = 0;
        history.replaceState = (...rest) => { if (++count > 100) throw new DOMException('too many', 'SecurityError'); real(...rest); };
        for (let k = 0; k < 200; k++) { slider.value = k % 20 / 10; slider.dispatchEvent(new Event('input')); await new Promise(done => setTimeout(done, 1)); }
        return count; })()""")
    wait(page, "/a1=1.9/.test(location.hash)", "the last address is not written", 5)
    assert 0 < count < 100, count
