"""python3 -m perp.bench [--device cuda:0] [--problems 8192]: batches from PyTorch, in microseconds a problem

`perp bench batch --from torch` runs this. It repeats a few problems of `perp bench batch`; tensors stay on the
device, and worlds begin in the order of the last call. All columns are medians, divided by the number of
problems: `us` of a call that ends with a synchronisation, `stream us` of one call among many in a row,
`vjp us` of the gradients, `graph us` of the call in a CUDA graph. The output has the format of bench/results.

--repeat RUNS counts the numbers of x and of the verdicts that differ from those of the first run instead: every
second run has another order of problems, every fourth another number of them."""

import argparse
import contextlib
import functools
import os
import sys
import tempfile
import time
import warnings

import numpy as np
import torch

import perp


def spread(a, k, device):
    """The first k of the problems a, repeated, as a tensor."""
    return torch.as_tensor(np.resize(a, (k, *a.shape[1:])), device=device)


def dense(n, k, device, kinds=64):
    A = np.array([perp.generate("pd", n=n, seed=s + 1).A.toarray() for s in range(kinds)])
    b = np.random.default_rng(n).uniform(-1, 1, (k, n))
    return perp.queue_batch, {"A": spread(A, k, device), "b": torch.as_tensor(b, device=device)}, {}


def read_world(text, keys, seed):
    """The arrays of a generated world, from its folder."""
    from scipy.io import mmread
    from scipy.sparse import csr_matrix
    warnings.simplefilter("ignore", DeprecationWarning)  # of mmread's kinds of matrices
    p = perp.generate(text, seed=seed, **keys)
    with tempfile.TemporaryDirectory() as folder:
        perp.save(os.path.join(folder, "p"), p)
        J = csr_matrix(mmread(os.path.join(folder, "p", "J.mtx")))
        Minv = csr_matrix(mmread(os.path.join(folder, "p", "Minv.mtx")))
    n, bodies = J.shape[0], J.shape[1] // 6
    body, rows = np.full((n // 3, 2), -1, np.int32), np.zeros((n, 2, 6))
    for c in range(n // 3):
        used = np.unique(J[3 * c:3 * c + 3].indices // 6)
        body[c, :len(used)] = used
        for side, k in enumerate(used):
            rows[3 * c:3 * c + 3, side] = J[3 * c:3 * c + 3, 6 * k:6 * k + 6].toarray()
    masses = np.array([Minv[6 * k:6 * k + 6, 6 * k:6 * k + 6].toarray() for k in range(bodies)])
    return body, rows, masses, *(np.array(v) for v in (p.b, p.lo, p.hi, p.findex))


def join(body, lo, hi, findex):
    """Of each world every fourth contact becomes a joint, and every fourth has friction with fixed limits."""
    for c in range(body.shape[1]):
        rows = slice(3 * c, 3 * c + 3)
        if c % 4 == 0:
            lo[:, rows], hi[:, rows], findex[:, rows] = -1e300, 1e300, -1
        elif c % 4 == 1:
            lo[:, rows], hi[:, rows], findex[:, rows] = [0, -0.02, -0.02], [1e300, 0.02, 0.02], -1


@functools.lru_cache(maxsize=1)
def read_worlds(keys, kinds=32):
    """The arrays of worlds with the same number of rows, stacked."""
    found = [read_world("pile", dict(form="findex", operator="contact", **dict(keys)), s + 1)
             for s in range(kinds)]
    rows = max(set(len(f[3]) for f in found), key=[len(f[3]) for f in found].count)
    return [np.array(v) for v in zip(*(f for f in found if len(f[3]) == rows))]


def worlds(keys, k, device, cones=False, joints=False):
    body, J, Minv, b, lo, hi, findex = (v.copy() for v in read_worlds(tuple(keys.items())))
    if joints:
        join(body, lo, hi, findex)
    data = {"body": spread(body, k, device), "J": spread(J, k, device),
            "Minv": spread(Minv, k, device), "b": spread(b, k, device)}
    # the contacts of every world differ a little
    data["b"] += 1e-3 * torch.rand(data["b"].shape, dtype=torch.float64, device=device)
    if cones:
        data["mu"] = spread(hi[:, 1::3], k, device)
    else:
        data.update(lo=spread(lo, k, device), hi=spread(np.minimum(hi, 1e300), k, device),
                    findex=spread(findex.astype(np.int32), k, device))
    return perp.queue_worlds, data, {"tol": 1e-6, "max_iterations": 1000}


def measure(queue, data, options, rounds=7, many=20):
    wait = torch.cuda.synchronize if data["b"].is_cuda else lambda: None
    k = len(data["b"])
    frozen = {name: data[name] for name in data}
    out = [torch.zeros_like(data["b"]), torch.empty_like(data["b"]),
           torch.empty(k, 6, dtype=torch.float64, device=data["b"].device)]

    last = {}

    def call():
        out[0].zero_()
        last["after"] = queue(**frozen, out=out, **last, **options)
        if queue is perp.queue_batch:
            return last.pop("after")
        return last["after"]

    def clock(work, times):
        wait()
        began = time.perf_counter()
        for _ in range(times):
            work()
        wait()
        return 1e6 * (time.perf_counter() - began) / times / k

    queued = call()
    w = torch.ones_like(data["b"])
    names = [name for name in ("A", "b", "J", "Minv", "mu") if name in data]
    found = {"problems": k, "n": data["b"].shape[1], "solved": int(queued.solved.sum()),
             "worst": float((queued.residual / queued.scale).max()),
             "most steps": int(queued.iterations.max())}
    clock(call, 2)
    found["us"] = np.median([clock(call, 1) for _ in range(rounds)])
    many = int(min(max(2e4 / (k * found["us"]), 2), many)) if data["b"].is_cuda else 1
    found["stream us"] = np.median([clock(call, many) for _ in range(rounds)])
    clock(lambda: queued.vjp(w, names), 1)
    found["vjp us"] = np.median([clock(lambda: queued.vjp(w, names), many) for _ in range(rounds)])
    found["vjp b us"] = np.median([clock(lambda: queued.vjp(w, ["b"]), many) for _ in range(rounds)])
    if data["b"].is_cuda:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            call()
        found["graph us"] = np.median([clock(graph.replay, many) for _ in range(rounds)])
    return found


def repeat(queue, data, options, runs):
    k, device = len(data["b"]), data["b"].device
    first = queue(**data, **options)
    different = torch.zeros((), dtype=torch.int64, device=device)
    for run in range(1, runs):
        count = k if run % 4 else 1 + 37 * run % k
        order = torch.arange(k, device=device) if run % 2 else torch.randperm(k, device=device)[:count]
        now = queue(**{name: t[order].contiguous() for name, t in data.items()}, **options)
        for one, other in ((now.x, first.x), (now.verdicts, first.verdicts)):
            different += (one.view(torch.int64) != other[order].view(torch.int64)).sum()
    return {"problems": k, "solved": int(first.solved.sum()), "runs": runs, "different": int(different)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--problems", type=int, default=8192)
    parser.add_argument("--case", action="append", help="only these cases, by a part of their name")
    parser.add_argument("--csv", metavar="FILE", help="write to FILE instead of the standard output")
    parser.add_argument("--repeat", type=int, metavar="RUNS", help="compare the bits of RUNS runs")
    choice = parser.parse_args()
    k, device = choice.problems, choice.device
    single = {"precision": "single", "omega": 1.4}
    tight = {"tol": 1e-10}
    cases = [(f"pd:n={n}", "blockpivot", lambda n=n: dense(n, k, device), {}) for n in (16, 48, 96)]
    brief = {**single, "max_iterations": 300}
    for keys in ({"n": 13}, {"n": 17}, {"n": 29, "layout": "random"}):
        name = "pile:" + ",".join(f"{a}={v}" for a, v in keys.items())
        for what, way, more in (("form=findex", {}, {"coloured": {}, "coloured, single": single,
                                                     "coloured, single, at most 300": brief,
                                                     "coloured, single, to 1e-10": {**single, **tight}}),
                                ("joints", {"joints": True}, {"coloured, single, at most 300": brief}),
                                ("form=cone", {"cones": True}, {"bgs": {}, "bgs, single": single,
                                                                "bgs, single, at most 300": brief})):
            cases += [(f"{name},{what}", method, lambda q=keys, w=way: worlds(q, k, device, **w), options)
                      for method, options in more.items()]
    cases = [case for case in cases
             if not choice.case or any(part in f"{case[0]} {case[1]}" for part in choice.case)]
    if not cases:
        parser.error(f"no case has {' or '.join(choice.case)} in its name")
    with open(choice.csv, "w") if choice.csv else contextlib.nullcontext(sys.stdout) as out:
        print("figures,problem,method,figure,value", file=out)
        for problem, method, make, more in cases:
            queue, data, options = make()
            options = {**options, **more}
            found = repeat(queue, data, options, choice.repeat) if choice.repeat else measure(queue, data, options)
            for figure, value in found.items():
                print(f'batch,"{problem}","{method} from torch on {device}","{figure}",{value:.4g}', file=out,
                      flush=True)


if __name__ == "__main__":
    main()
