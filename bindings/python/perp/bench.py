"""python3 -m perp.bench [--device cuda:0] [--problems 8192]: batches from PyTorch, in microseconds a problem

`perp bench batch --from torch` runs this. It repeats a few problems of `perp bench batch`; tensors stay on the
device, and worlds begin in the order of the last call. All columns are medians, divided by the number of
problems: `us` of a call that ends with a synchronisation, `stream us` of one call among many in a row,
`vjp us` of the gradients, `graph us` of the call in a CUDA graph. The output has the format of bench/results."""

import argparse
import os
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


def worlds(keys, k, device, cones=False, kinds=32):
    found = [read_world("pile", dict(form="findex", operator="contact", **keys), s + 1)
             for s in range(kinds)]
    rows = max(set(len(f[3]) for f in found), key=[len(f[3]) for f in found].count)
    found = [f for f in found if len(f[3]) == rows]
    body, J, Minv, b, lo, hi, findex = (np.array(v) for v in zip(*found))
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
    if not data["b"].is_cuda:
        many = 1
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--problems", type=int, default=8192)
    parser.add_argument("--case", action="append", help="only these cases, by a part of their name")
    choice = parser.parse_args()
    k, device = choice.problems, choice.device
    single = {"precision": "single", "omega": 1.4}
    cases = [(f"pd:n={n}", "blockpivot", lambda n=n: dense(n, k, device), {}) for n in (16, 48, 96)]
    for keys in ({"n": 11}, {"n": 17}, {"n": 29, "layout": "random"}):
        name = "pile:" + ",".join(f"{a}={v}" for a, v in keys.items())
        cases += [(name + ",form=findex", "coloured", lambda q=keys: worlds(q, k, device), {}),
                  (name + ",form=findex", "coloured, single", lambda q=keys: worlds(q, k, device), single),
                  (name + ",form=findex", "coloured, single, at most 300, finished",
                   lambda q=keys: worlds(q, k, device),
                   {**single, "max_iterations": 300, "finish": 20}),
                  (name + ",form=cone", "bgs", lambda q=keys: worlds(q, k, device, True), {})]
    print("figures,problem,method,figure,value")
    for problem, method, make, more in cases:
        if choice.case and not any(part in f"{problem} {method}" for part in choice.case):
            continue
        queue, data, options = make()
        for figure, value in measure(queue, data, {**options, **more}).items():
            print(f'batch,"{problem}","{method} from torch on {device}","{figure}",{value:.4g}',
                  flush=True)


if __name__ == "__main__":
    main()
