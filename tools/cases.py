"""Problems by their names in the table of tools/measure: their source, their start, and the time of a
method

    pile:n=5,form=cone            a generated problem, solved from 0
    pile:n=5,form=cone warm       from the solution of it with b changed by at most 1 %
    discs:n=60 frame 60           a step of a simulated scene: the 60th, or the first after it with
                                  contacts; from 0
    discs:n=60 frame 60 warm      from the warm start of the scene: the impulses of the step before,
                                  carried from contact to contact"""

import json
import os
import random
import re
import shutil
import subprocess


def run(program, *arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"error": done.stderr.decode().strip() or "crashed", "message": str(done.returncode)}


class Case:
    """A problem by its name in the table: the argument for perp, and its start"""

    def __init__(self, program, name, folder, with_start=True):
        spec, frame, self.warm = re.fullmatch(r"(\S+)(?: frame (\d+))?( warm)?", name).groups()
        self.program, self.problem, self.start = program, spec, None
        if frame:
            self.take_frame(spec, int(frame), folder)
        elif self.warm and with_start:
            self.start_near(os.path.join(folder, "near"))

    def take_frame(self, scene, frame, folder):
        """Records all frames of a scene once, if the caller requests the last of them first."""
        record = os.path.join(folder, re.sub(r"\W", "-", scene))
        steps = sorted(os.listdir(record)) if os.path.exists(record) else []
        if not steps or int(steps[-1]) < frame:
            shutil.rmtree(record, ignore_errors=True)
            run(self.program, "simulate", scene, "--steps", str(frame + 5), "--tol", "1e-8",
                "--time-limit", "1", "--record", record, "--json")
            steps = sorted(os.listdir(record)) if os.path.exists(record) else []
        self.problem = None
        for step in steps:
            path = os.path.join(record, step)
            if int(step) >= frame and os.path.exists(os.path.join(path, "start.mtx")):
                self.problem = path
                self.start = os.path.join(path, "start.mtx") if self.warm else None
                return

    def start_near(self, folder):
        """The solution with every b_i another by at most 1 %, always the same."""
        shutil.rmtree(folder, ignore_errors=True)
        run(self.program, "generate", self.problem, "--out", folder)
        b = os.path.join(folder, "b.mtx")
        draw = random.Random(1)
        with open(b, encoding="utf-8") as f:
            lines = f.read().split("\n")
        first = next(k for k, line in enumerate(lines) if line and line[0] != "%")  # its size
        for k in range(first + 1, len(lines)):
            if lines[k]:
                lines[k] = repr(float(lines[k]) * draw.uniform(0.99, 1.01))
        with open(b, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
        self.start = os.path.join(folder, "start.mtx")
        run(self.program, "solve", folder, "--tol", "1e-8", "--time-limit", "5",
            "--out", self.start, "--json")
        if not os.path.exists(self.start):
            self.problem = None

    def look(self):
        """The class that auto sees; None if the problem cannot be made."""
        info = {}
        if self.problem:
            info = run(self.program, "solve", self.problem, "--max-iter", "1", "--json")
        if not info.get("class"):
            return None
        info["class"] += " warm" if self.warm else ""
        return info

    def solve(self, method, limit, repeat=1):
        """The result as perp tells it, None if the method refuses."""
        start = ["--start", self.start] if self.start else []
        r = run(self.program, "solve", self.problem, "--method", method, "--tol", "1e-8",
                "--time-limit", str(limit), "--repeat", str(repeat), "--json", *start)
        if r.get("error"):
            return None
        # the CPU clock has a resolution of microseconds: too coarse for the shortest
        if r["seconds"] > 1e-3 and repeat == 1:
            r["seconds"] = min(r["seconds"], r["cpu_seconds"])
        return r

    def time(self, method, limit):
        """Solves, and takes the least seconds of several solves if they are short."""
        r = self.solve(method, limit)
        if r and r["solved"] and r["seconds"] < 0.2:
            again = self.solve(method, limit, int(min(300, max(3, 0.02 / max(r["seconds"], 1e-6)))))
            r["seconds"] = min(r["seconds"], again["seconds"])
        return r
