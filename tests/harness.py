"""The loop around the tests of a script: each in a separate folder, and the closing line"""

import os
import tempfile


class Skip(Exception):
    pass


def run_tests(tests):
    """tests: functions by name. Prints what each returns. Returns the exit status."""
    count = {"ok": 0, "FAIL": 0, "skip": 0}
    for name, test in tests.items():
        home = os.getcwd()
        with tempfile.TemporaryDirectory() as place:
            os.chdir(place)
            try:
                told = test()
                state = "ok"
                if told:
                    print(f"  {told}")
            except Skip as why:
                state = "skip"
                print(f"  skipped: {why}")
            except Exception as error:
                state = "FAIL"
                line = error.__traceback__.tb_next.tb_lineno
                print(f"  line {line}: {type(error).__name__}: {error}")
            os.chdir(home)
        count[state] += 1
        print(f"{state:4} {name}", flush=True)
    print(f"{count['ok']} passed, {count['FAIL']} failed, {count['skip']} skipped")
    return 1 if count["FAIL"] else 0
