"""perp.torch: gradients against differences, bits, verdicts and refusals, on the CPU and on a GPU"""

import csv
import subprocess
import sys
import weakref

import numpy as np
import pytest

import perp

torch = pytest.importorskip("torch")
import perp.torch  # noqa: E402

DEVICES = ["cpu"]
try:
    if torch.cuda.is_available():
        perp.Device("cuda:0")
        DEVICES.append("cuda:0")
except RuntimeError:  # a wheel without CUDA
    pass
devices = pytest.mark.parametrize("device", DEVICES)


def dense(device, k=6, n=7, seed=0, boxed=False):
    """Problems whose solutions have rows between and on their bounds, far from kinks."""
    g = torch.Generator().manual_seed(seed)
    G = torch.randn(k, n, n, generator=g, dtype=torch.float64)
    A = G @ G.transpose(1, 2) / n + torch.eye(n, dtype=torch.float64)
    A = A + 0.2 * torch.randn(k, n, n, generator=g, dtype=torch.float64) / n
    b = 2 * torch.randn(k, n, generator=g, dtype=torch.float64)
    lo = -torch.rand(k, n, generator=g, dtype=torch.float64) if boxed else None
    hi = torch.rand(k, n, generator=g, dtype=torch.float64) if boxed else None
    return [None if t is None else t.to(device).requires_grad_() for t in (A, b, lo, hi)]


def worlds(device, k=3, seed=0, cones=True):
    """Two balls side by side on the ground, which touch each other: three contacts, pushed."""
    g = np.random.default_rng(seed)
    body = np.tile(np.array([[0, -1], [1, -1], [0, 1]], np.int32), (k, 1, 1))
    J = np.zeros((k, 3, 3, 2, 6))
    for c, (n, r) in enumerate([((0, 0, 1), (0, 0, -0.5)), ((0, 0, 1), (0, 0, -0.5)),
                                ((-1, 0, 0), (0.5, 0, 0))]):
        n = np.array(n, float)
        t = np.cross(n, [0, 1.0, 0])
        for i, d in enumerate((n, t, np.cross(n, t))):
            J[:, c, i, 0] = np.concatenate([d, np.cross(r, d)])
            J[:, c, i, 1] = -np.concatenate([d, np.cross(-np.array(r), d)]) if c == 2 else 0
    J = J.reshape(k, 9, 2, 6) + 0.01 * g.standard_normal((k, 9, 2, 6))
    Minv = np.tile(np.diag([1.0, 1, 1, 10, 10, 10]), (k, 2, 1, 1))
    b = np.tile([-1.0, 0, 0, -1, 0, 0, -0.3, 0, 0], (k, 1)) + 0.4 * g.standard_normal((k, 9))
    C = np.full((k, 9), 0.05)
    tensors = {"body": body, "J": J, "Minv": Minv, "b": b, "C": C}
    if cones:
        tensors["mu"] = g.uniform(0.2, 0.8, (k, 3))
    else:
        mu = np.repeat(g.uniform(0.2, 0.8, (k, 3)), 3, axis=1)
        normal = np.arange(9) % 3 == 0
        tensors["lo"], tensors["hi"] = np.where(normal, 0, -mu), np.where(normal, 1e300, mu)
        tensors["findex"] = np.tile(np.where(normal, -1, np.arange(9) // 3 * 3), (k, 1)).astype(np.int32)
    found = {name: torch.from_numpy(v).to(device) for name, v in tensors.items()}
    for name, t in found.items():
        t.requires_grad_(t.dtype == torch.float64 and name not in ("lo", "hi"))
    return found


def plain_worlds(**keys):
    return {name: t.detach() for name, t in worlds("cpu", **keys).items()}


@devices
@pytest.mark.parametrize("boxed", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_lcp_gradcheck(device, boxed, seed):
    tensors = [t for t in dense(device, k=3, seed=seed, boxed=boxed) if t is not None]
    x = perp.torch.lcp(*tensors, raise_if_unsolved=True)
    assert ((x == 0).sum() if not boxed else (x == tensors[3]).sum()) > 0 and x.is_leaf is False
    assert torch.autograd.gradcheck(lambda *t: perp.torch.lcp(*t, tol=1e-13), tensors, eps=1e-6,
                                    atol=1e-6, rtol=1e-5)


@devices
@pytest.mark.parametrize("cones", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_contact_gradcheck(device, cones, seed):
    w = worlds(device, k=2, seed=seed, cones=cones)
    names = [name for name, t in w.items() if t.requires_grad]

    def solve(*tensors):
        given = {**w, **dict(zip(names, tensors))}
        # A = J Minv J' takes the symmetric part: differences of one entry would not be a mass
        given["Minv"] = (given["Minv"] + given["Minv"].transpose(-1, -2)) / 2
        return perp.torch.contact(**given, tol=1e-13, max_iterations=20000)

    assert torch.autograd.gradcheck(solve, [w[name] for name in names], eps=1e-6, atol=1e-6, rtol=1e-5)
    if cones:  # sliding, sticking and open contacts were among them
        x = solve(*[w[name] for name in names]).detach().reshape(-1, 3)
        assert (x[:, 0] >= 0).all()


@devices
@pytest.mark.parametrize("friction", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_bounds_gradcheck(device, friction, seed):
    """lo and hi of worlds: boxes, and boxes times the force of another row."""
    w = worlds(device, k=2, seed=seed, cones=False)
    normal = torch.arange(9, device=device) % 3 == 0
    tight = 1 if friction else 0.1
    w["lo"] = torch.where(normal, torch.full_like(w["lo"], 0.05), tight * w["lo"])  # x_j > 0: no kink of abs(x_j)
    w["hi"] = torch.where(normal, torch.full_like(w["hi"], 0.4), tight * w["hi"])
    if not friction:
        del w["findex"]
    bounds = [w[name].detach().requires_grad_() for name in ("lo", "hi")]

    def solve(lo, hi):
        return perp.torch.contact(**{**w, "lo": lo, "hi": hi}, tol=1e-13, max_iterations=20000,
                                  raise_if_unsolved=True)

    x = solve(*bounds)
    found = torch.autograd.grad(x.sum(), bounds)
    assert all((g != 0).any() for g in found)
    assert torch.autograd.gradcheck(solve, bounds, eps=1e-6, atol=1e-6, rtol=1e-5)


@devices
@pytest.mark.parametrize("cones", [False, True])
def test_gradients_of_large_worlds(device, cones):
    """171 rows, with a workspace: against differences along random directions."""
    from perp.bench import read_world
    names = ("body", "J", "Minv", "b", "lo", "hi", "findex")
    arrays = [read_world("pile", {"form": "findex", "operator": "contact", "n": 29, "layout": "random"}, seed)
              for seed in (1, 2, 3)]
    w = {name: torch.from_numpy(np.stack(a)).to(device) for name, a in zip(names, zip(*arrays))}
    w["hi"], w["findex"] = w["hi"].clamp(max=1e300), w["findex"].int()
    if cones:
        w["mu"] = w["hi"][:, 1::3].contiguous()
        del w["lo"], w["hi"], w["findex"]
    assert w["b"].shape == (3, 171)
    options = {"cfm": 1e-2, "tol": 1e-13, "max_iterations": 20000, "raise_if_unsolved": True}
    g = torch.Generator().manual_seed(0)
    v = torch.rand(3, 171, generator=g, dtype=torch.float64).to(device)
    found = perp.queue_worlds(**w, **options).vjp(v, ["b", "J"])
    assert float(found["error"].max()) < 1e-10
    for name in ("b", "J"):
        d = torch.randn(w[name].shape, generator=g, dtype=torch.float64).to(device)
        d, h = d * (w[name] != 0), 1e-6
        x = [perp.queue_worlds(**{**w, name: w[name] + s * h * d}, **options).x for s in (1, -1)]
        slope = ((x[0] - x[1]) * v).sum(1) / (2 * h)
        mine = (found[name] * d).flatten(1).sum(1)
        torch.testing.assert_close(mine, slope, rtol=1e-5, atol=1e-6 * float(slope.abs().max()))


@devices
def test_one_for_all(device):
    """A, lo and hi of all problems get the sum of the gradients."""
    A, b, lo, hi = dense(device, boxed=True)
    with torch.no_grad():
        one = A[:1].clone()
        bounds = [t[0].clone().requires_grad_() for t in (lo, hi)]
    shared = one[0].clone().requires_grad_()
    weights = torch.arange(b.numel(), device=device, dtype=torch.float64).reshape(b.shape)
    (perp.torch.lcp(shared, b, *bounds) * weights).sum().backward()
    every = one.expand(len(b), -1, -1).contiguous().requires_grad_()
    all_bounds = [t.detach().expand(len(b), -1).contiguous().requires_grad_() for t in bounds]
    (perp.torch.lcp(every, b, *all_bounds) * weights).sum().backward()
    torch.testing.assert_close(shared.grad, every.grad.sum(0))
    for few, many in zip(bounds, all_bounds):
        torch.testing.assert_close(few.grad, many.grad.sum(0))


@devices
def test_as_on_the_host(device):
    """x, y and the gradient are those of perp.solve_lcp and Result.vjp."""
    A, b, lo, hi = dense(device, k=20, n=30, seed=3, boxed=True)
    w = torch.ones_like(b)
    queued = perp.queue_batch(*(t.detach() for t in (A, b, lo, hi)), tol=1e-12)
    assert bool(queued.raise_if_unsolved().solved.all()) and set(queued.status()) == {"solved"}
    found = queued.vjp(w)
    assert float(found["error"].max()) < 1e-12
    for k in range(len(b)):
        r = perp.solve_lcp(*(t[k].detach().cpu().numpy() for t in (A, b, lo, hi)), tol=1e-12)
        np.testing.assert_allclose(queued.x[k].cpu().numpy(), r.x, atol=1e-11)
        np.testing.assert_allclose(queued.y[k].cpu().numpy(), r.y, atol=1e-10)
        g = r.vjp(np.ones(30))
        for name in ("A", "b", "lo", "hi"):
            np.testing.assert_allclose(found[name][k].cpu().numpy(), getattr(g, name), atol=1e-9)
    assert int(queued.iterations.max()) > 0 and float((queued.residual / queued.scale).max()) <= 1e-12


@devices
def test_same_bits(device):
    """In any order and in batches of any size."""
    k = 64
    A, b, _, _ = (t if t is None else t.detach() for t in dense(device, k=k, n=16, seed=5))
    w = {name: t.detach() for name, t in worlds(device, k=k, seed=5).items()}
    for queue, data in ((perp.queue_batch, {"A": A, "b": b}), (perp.queue_worlds, w)):
        whole = queue(**data)
        gradient = whole.vjp(torch.ones_like(whole.x))
        if queue is perp.queue_worlds:
            again = queue(**data, after=whole)
            assert torch.equal(again.x, whole.x) and torch.equal(again.outcome, whole.outcome)
        rng = np.random.default_rng(1)
        for size in (1, 3, 17, 64):
            order = torch.from_numpy(rng.permutation(k)).to(device)
            for part in order.split(size):
                some = queue(**{name: t[part].contiguous() for name, t in data.items()})
                assert torch.equal(some.x, whole.x[part]) and torch.equal(some.y, whole.y[part])
                assert torch.equal(some.verdicts.view(torch.int64), whole.verdicts[part].view(torch.int64))
                again = some.vjp(torch.ones_like(some.x))
                for name, g in again.items():
                    assert torch.equal(g, gradient[name][part]), name


@devices
def test_one_bad_problem_among_many(device):
    A, b, _, _ = (t if t is None else t.detach() for t in dense(device, k=40, n=9, seed=2))
    good = perp.queue_batch(A, b).x.clone()
    b[7, 3] = float("nan")
    A[11] = -torch.eye(9, dtype=torch.float64, device=device)
    b[11] = -1
    queued = perp.queue_batch(A, b)
    status = queued.status()
    assert status[7] == "not-run" and status[11] not in ("solved", "not-run")
    others = [k for k in range(40) if k not in (7, 11)]
    assert (status[others] == "solved").all() and torch.equal(queued.x[others], good[others])
    with pytest.raises(perp.NotSolved, match=r"2 of 40 .* problem 7: b\[3\] = -?nan is not finite"):
        queued.raise_if_unsolved()
    with pytest.raises(perp.NotSolved, match="problem 7"):
        perp.torch.lcp(A, b, raise_if_unsolved=True)
    for unsolved in ("nan", "zero"):
        g = queued.vjp(torch.ones_like(b), unsolved=unsolved)["b"]
        assert (torch.isnan(g[7]).all() if unsolved == "nan" else (g[7] == 0).all())
        assert torch.isfinite(g[others]).all()


@devices
def test_double_backward_is_refused(device):
    A, b, _, _ = dense(device)
    x = perp.torch.lcp(A, b)
    g, = torch.autograd.grad(x.sum(), b, create_graph=True)
    with pytest.raises(RuntimeError, match="perp.torch.lcp is differentiable once"):
        g.sum().backward()
    w = worlds(device)
    g, = torch.autograd.grad(perp.torch.contact(**w).sum(), w["b"], create_graph=True)
    with pytest.raises(RuntimeError, match="perp.torch.contact is differentiable once"):
        torch.autograd.grad(g.sum(), w["b"])


@devices
def test_nothing_is_kept(device):
    """The graph goes with its tensors, and a change of x in place is not overlooked."""
    A, b, _, _ = dense(device)
    x = perp.torch.lcp(A, b)
    seen = weakref.ref(x)
    del x
    assert seen() is None
    x = perp.torch.lcp(A, b)
    x.sum().backward()
    seen = weakref.ref(x)
    del x
    assert seen() is None
    x = perp.torch.lcp(A, b)
    loss = x.sum()
    with torch.no_grad():
        x += 1
    with pytest.raises(RuntimeError, match="inplace"):
        loss.backward()


def test_a_kink_has_one_gradient():
    """x = y = 0: the row keeps to its bound, or leaves it."""
    A = torch.eye(2, dtype=torch.float64)
    b = torch.tensor([0.0, -1.0], dtype=torch.float64, requires_grad=True)
    for degenerate, slope in (("hold", 0), ("release", -1)):
        g, = torch.autograd.grad(perp.torch.lcp(A, b, degenerate=degenerate).sum(), b)
        assert g.tolist() == [slope, -1]
    with pytest.raises(ValueError, match="degenerate = 'both'"):
        perp.torch.lcp(A, b, degenerate="both")
    with pytest.raises(ValueError, match="unsolved = 'one'"):
        perp.torch.lcp(A, b, unsolved="one")


def test_redundant_contacts():
    """A beam on three feet: the forces are not unique, but the velocities are, and their gradient."""
    rng = np.random.default_rng(4)
    J = torch.zeros(1, 3, 2, 3, dtype=torch.float64)
    J[0, :, 0, 1] = 1
    J[0, :, 0, 2] = torch.tensor([-1.0, 0.0, 1.0])
    Minv = torch.diag(torch.tensor([1.0, 1.0, 3.0], dtype=torch.float64)).reshape(1, 1, 3, 3)
    body = torch.tensor([[[0, -1]] * 3], dtype=torch.int32)

    def velocity(v):
        b = torch.einsum("krsf,f->kr", J[:, :, :1], v)
        x = perp.torch.contact(body, J, Minv, b, tol=1e-13)
        return v + Minv[0, 0] @ torch.einsum("krf,kr->f", J[:, :, 0], x)

    v = torch.tensor([0.3, -1.0, 0.1 * rng.standard_normal()], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(velocity, [v], atol=1e-6)


@pytest.mark.parametrize("cones", [False, True])
def test_limits_of_worlds(cones):
    """768 rows, 768 bodies and 64 contacts of a body; the message names what is too large."""
    for contacts, bodies, each, text in [(256, 768, 64, None), (257, 5, 64, "this has 771 rows$"),
                                         (1, 769, 1, "this has 3 rows and more bodies$"),
                                         (65, 2, 65, "64 colours, and each contact of a body needs its own$")]:
        n = 3 * contacts
        body = torch.stack([torch.arange(contacts) // each, torch.full((contacts,), -1)], 1).int()[None]
        J, b = torch.ones(1, n, 2, 6).double(), torch.ones(1, n).double()
        Minv = torch.eye(6).double().repeat(1, bodies, 1, 1)
        mu = {"mu": torch.full((1, contacts), 0.5).double()} if cones else {}
        q = perp.queue_worlds(body, J, Minv, b, **mu, cfm=1.0)
        if text is None:
            assert q.status()[0] == "solved"
        else:
            assert q.status()[0] == "not-run"
            with pytest.raises(perp.NotSolved, match=text):
                q.raise_if_unsolved()


@devices
@pytest.mark.parametrize("cones", [False, True])
@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("rows", [(0, 1, 2, -1, -1), (-1, 0, -1, 1, 2)])
def test_worlds_filled_up(device, cones, precision, rows):
    """Contacts of the bodies (-1, -1), C = 1 and b > 0 change neither the others nor their gradients."""
    w = {name: t.detach() for name, t in worlds(device, k=5, cones=cones).items()}
    start = {c: rows.index(c) for c in range(3)}

    def fill(t, each, value):
        full = torch.full((len(t), len(rows) * each, *t.shape[2:]), value, dtype=t.dtype, device=device)
        for c, at in start.items():
            full[:, at * each:(at + 1) * each] = t[:, c * each:(c + 1) * each]
        return full

    full = {"body": fill(w["body"], 1, -1), "Minv": w["Minv"], "J": fill(w["J"], 3, 0.7), "b": fill(w["b"], 3, 1e-3),
            "C": fill(w["C"], 3, 1.0)}
    if cones:
        full["mu"] = fill(w["mu"], 1, 0.5)
    else:
        full["lo"], full["hi"] = fill(w["lo"], 3, 0.0), fill(w["hi"], 3, 1.0)
        full["findex"] = fill(w["findex"], 3, -1)
        for c, at in start.items():
            full["findex"][:, 3 * at + 1:3 * at + 3] = 3 * at
    options = {"tol": 1e-10, "precision": precision, "max_iterations": 20000, "raise_if_unsolved": True}
    if precision == "single" and not cones:
        options["omega"] = 1.0
    few, many = perp.queue_worlds(**w, **options), perp.queue_worlds(**full, **options)
    own = [3 * start[c] + i for c in range(3) for i in range(3)]
    others = [i for i in range(3 * len(rows)) if i not in own]
    torch.testing.assert_close(many.x[:, own], few.x, rtol=0, atol=0 if precision == "double" else 1e-7)
    assert (many.x[:, others] == 0).all() and torch.equal(many.scale, few.scale)
    weights = torch.zeros_like(many.x)
    weights[:, own] = 1
    wanted, found = few.vjp(torch.ones_like(few.x)), many.vjp(weights)
    torch.testing.assert_close(found["b"][:, own], wanted["b"], rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(found["Minv"], wanted["Minv"], rtol=1e-6, atol=1e-6)
    assert (found["b"][:, others] == 0).all() and (found["degenerate"] == 0).all()


def test_refusals():
    A, b, _, _ = (t if t is None else t.detach() for t in dense("cpu"))
    for call, text in [
        (lambda: perp.queue_batch(A.float(), b), "A has the type float32; the kernels take float64"),
        (lambda: perp.queue_batch(A, b.float()), "b has the type float32"),
        (lambda: perp.queue_batch(A.to_sparse(), b), "A is a sparse tensor"),
        (lambda: perp.queue_batch(A, [1, 2]), "b is a list"),
        (lambda: perp.queue_batch(A, b, findex=b.int()), "findex is for contact worlds: queue_worlds"),
        (lambda: perp.torch.lcp(A, b, mu=b), "mu is for contact worlds: queue_worlds"),
    ]:
        with pytest.raises(TypeError, match=text):
            call()
    for call, text in [
        (lambda: perp.queue_batch(A, b[0]), r"b has the shape \(7,\), not \(k, n\)"),
        (lambda: perp.queue_batch(A[:, :6], b), r"A has the shape \(6, 6, 7\)"),
        (lambda: perp.queue_batch(A.transpose(1, 2), b), "A is not contiguous"),
        (lambda: perp.queue_batch(A, b, lo=torch.zeros(7).double(), hi=b), "give all of them in the same way"),
        (lambda: perp.queue_batch(A, b, device="cuda:0"), "cuda"),
        (lambda: perp.queue_batch(A, b, stream=7), "host has no streams"),
        (lambda: perp.queue_batch(A, b, tol=-1), "tol"),
        (lambda: perp.queue_batch(A, b, omega=1), "omega"),
        (lambda: perp.queue_batch(A, b).vjp(b, ["J"]), "wrt: this batch has no 'J'"),
        (lambda: perp.queue_batch(A, b).vjp(b, "mu"), "wrt: this batch has no 'mu'"),
        (lambda: perp.queue_batch(A, b).vjp(b[:3]), r"w has the shape \(3, 7\)"),
        (lambda: perp.queue_worlds(**plain_worlds(), lo=b), "mu is for cones"),
        (lambda: perp.queue_worlds(**plain_worlds(), precision="half"), "precision = 'half'"),
        (lambda: perp.queue_worlds(**plain_worlds(), after=perp.queue_batch(A, b)), "after has the shape"),
        (lambda: perp.queue_batch(A, b.clone().requires_grad_()), "b requires a gradient"),
    ]:
        with pytest.raises((ValueError, RuntimeError), match=text):
            call()
    with pytest.raises(perp.Unsupported, match="pgs does not run on devices"):
        perp.queue_batch(A, b, method="pgs")
    with pytest.raises(perp.Unsupported, match="time limit"):
        perp.queue_batch(A, b, time_limit=1)
    with pytest.raises(perp.Unsupported, match="at most 96 rows"):
        n = 97
        queued = perp.queue_batch(torch.eye(n).double(), torch.ones(2, n).double())
        assert set(queued.status()) == {"not-run"}  # each says so
        queued.vjp(torch.ones(2, n).double())


def test_results_that_cannot_be_written():
    A, b, _, _ = (t if t is None else t.detach() for t in dense("cpu"))
    k, n = b.shape
    block = torch.zeros(3 * k * n, dtype=torch.float64)
    x, y, verdicts = torch.zeros_like(b), torch.zeros_like(b), torch.zeros(k, 6, dtype=torch.float64)
    fixed = np.zeros((k, n))
    fixed.flags.writeable = False

    class Elsewhere:  # an array that says it is on a GPU
        def __init__(self, of):
            self.__cuda_array_interface__ = of.__array_interface__

    kept = b.clone()
    for out, text in [
        ((b, y, verdicts), r"out\[0\] overlaps with b"),
        ((x, x, verdicts), r"out\[1\] overlaps with out\[0\]"),
        ((block[:k * n].view(k, n), block[1:k * n + 1].view(k, n), verdicts),
         r"out\[1\] overlaps with out\[0\]"),
        ((x, A.view(-1)[:k * n].view(k, n), verdicts), r"out\[1\] overlaps with A"),
        ((Elsewhere(fixed), y, verdicts), r"out\[0\] is on cuda:0, but b is on host"),
        ((fixed, y, verdicts), r"out\[0\] is read-only"),
        ((x, y, verdicts[:, :5]), r"out\[2\] has the shape \(6, 5\)"),
        ((x.clone().requires_grad_(), y, verdicts), r"out\[0\] requires a gradient"),
    ]:
        with pytest.raises((ValueError, RuntimeError), match=text):
            perp.queue_batch(A, b, out=out)
    assert torch.equal(b, kept) and not fixed.any()
    with pytest.raises(ValueError, match="x0 is on cuda:0"):
        perp.queue_batch(A, b, x0=Elsewhere(fixed))
    with pytest.raises(TypeError, match="perp.torch.lcp takes no out"):
        perp.torch.lcp(A, b, out=(x, y, verdicts))
    with pytest.raises(TypeError, match="perp.torch.lcp takes no stream"):
        perp.torch.lcp(A, b, stream=0)
    touching = block[:2 * k * n].view(2, k, n)
    queued = perp.queue_batch(A, b, x0=touching[0], out=(*touching, verdicts))
    assert queued.solved.all() and torch.equal(touching[0], perp.queue_batch(A, b).x)
    grid, load = perp.Grid((9, 9)), torch.full((81,), -1e-3, dtype=torch.float64)
    with pytest.raises(ValueError, match=r"out\[0\] overlaps with b"):
        perp.solve_grid(grid, load, out=(load, torch.zeros_like(load)))


def test_numbers_that_would_be_misread():
    """Another order of bytes, and numbers that are not at a multiple of their size."""
    A, b, _, _ = (t if t is None else t.detach().numpy() for t in dense("cpu"))
    with pytest.raises(TypeError, match="b has the type >f8"):
        perp.queue_batch(A, b.astype(">f8"))
    odd = np.frombuffer(bytearray(b.nbytes + 1), np.uint8)[1:].view(np.float64).reshape(b.shape)
    with pytest.raises(ValueError, match="b is not aligned"):
        perp.queue_batch(A, odd)

    class Many:
        """An array of more problems than an int counts; nobody looks at its numbers."""

        def __init__(self, place, *shape):
            self.__array_interface__ = {"data": (place << 44, False), "shape": shape, "typestr": "<f8",
                                        "version": 3}

    k = 2 ** 32 + 1
    with pytest.raises(ValueError, match="4294967297 problems, rows or bodies: a batch takes at most"):
        perp.queue_batch(np.eye(1), Many(1, k, 1), out=(Many(2, k, 1), Many(3, k, 1), Many(4, k, 6)))
    with pytest.raises(TypeError, match="resolve_neg"):
        perp.queue_batch(torch.from_numpy(A), torch._neg_view(torch.from_numpy(b)))


def test_what_changes_after_the_solve():
    """backward sees a change in place; tensors that the caller replaces stay as they were."""
    for cones, name in ((True, "body"), (False, "findex")):
        w = worlds("cpu", cones=cones)
        x = perp.torch.contact(**w)
        w[name].fill_(-1)
        with pytest.raises(RuntimeError, match="inplace"):
            x.sum().backward()
    A, b, _, _ = dense("cpu")
    x, verdicts = perp.torch.lcp(A, b, verdicts=True)
    verdicts.zero_()
    with pytest.raises(RuntimeError, match="inplace"):
        x.sum().backward()
    A, b, w = A.detach(), b.detach(), torch.ones(b.shape, dtype=torch.float64)
    queued = perp.queue_batch(A, b)
    expected = queued.vjp(w)["b"]
    A.data = torch.full_like(A, float("nan"))
    assert torch.equal(queued.vjp(w)["b"], expected)


def test_a_call_within_a_call():
    """A finalizer or a signal handler may solve while this thread is in a call."""
    A, b, _, _ = (t if t is None else t.detach() for t in dense("cpu"))

    class Number:
        def __float__(self):
            perp.queue_batch(A, b)
            return 1e-9

    assert perp.Device.of("host")._lock.acquire(blocking=False)
    try:
        assert perp.Device.of("host")._lock.acquire(blocking=False)  # else the next call never returns
        perp.Device.of("host")._lock.release()
        assert perp.queue_batch(A, b, tol=Number()).solved.all()
    finally:
        perp.Device.of("host")._lock.release()


def test_only_tensors():
    A, b, _, _ = (t if t is None else t.detach() for t in dense("cpu"))
    for call, name in [(lambda: perp.torch.lcp(A, [1.0, 2]), "b is a list"),
                       (lambda: perp.torch.lcp(A.numpy(), b), "A is a ndarray"),
                       (lambda: perp.torch.lcp(A, b, x0=[0.0]), "x0 is a list"),
                       (lambda: perp.torch.contact(**{**plain_worlds(), "body": [0]}), "body is a list")]:
        with pytest.raises(TypeError, match=name + ", not a tensor"):
            call()


@devices
def test_cones_in_single_precision(device):
    """Tangents are turned there, and so is their compliance: the same y as in double, to 1e-9."""
    data = {name: t.detach() for name, t in worlds(device, k=20, seed=4).items()}
    data["C"][:, 1::3] += 20  # of one tangent only
    double = perp.queue_worlds(**data, tol=1e-12, max_iterations=5000, raise_if_unsolved=True)
    single = perp.queue_worlds(**data, tol=1e-11, precision="single", omega=1.4, max_iterations=500,
                               raise_if_unsolved=True)
    assert (single.y - double.y).abs().max() < 1e-9 and double.y.abs().max() > 0.1


def test_numbers_are_not_streams():
    """A number says nothing about what is at that address; an object is held as long as its batch."""
    from perp._queue import _number

    class Stream:
        def __init__(self, **keys):
            self.__dict__.update(keys)

    assert _number(Stream(cuda_stream=12345), "cuda:0") == _number(Stream(ptr=12345), "cuda:0") == 12345
    assert [_number(s, "cuda:0") for s in (0, 1, 2, Stream(ptr=0))] == [1, 1, 2, 1]
    for number in (12345, -8, id(Stream)):
        with pytest.raises(ValueError, match=f"stream = {number}: it is not known"):
            _number(number, "cuda:0")
    A, b, _, _ = (t if t is None else t.detach() for t in dense("cpu"))
    none = Stream(cuda_stream=0)
    assert perp.queue_batch(A, b, stream=none)._call.held is none


@devices
def test_grids(device):
    """An obstacle problem by mg, with the arrays where they are."""
    grid = perp.Grid((33, 33))
    b = torch.full((33 * 33,), 1e-3, dtype=torch.float64)
    b[:300] = -2e-3
    r = perp.solve_grid(grid, b.to(device), strict=True)
    assert r.x.device.type == device[:4] or device == "cpu"
    assert r.success and r.cycles > 0 and r.relative_residual <= 1e-8
    plain = perp.solve_lcp(grid, b.numpy(), tol=1e-10)
    np.testing.assert_allclose(r.x.cpu().numpy(), plain.x, atol=1e-8)
    np.testing.assert_allclose(r.y.cpu().numpy(), grid @ r.x.cpu().numpy() + b.numpy(), atol=1e-12)
    again = perp.solve_grid(grid, b.to(device), x0=r.x)
    assert again.cycles <= r.cycles
    with pytest.raises(ValueError, match=r"lo has the shape \(3,\)"):
        perp.solve_grid(grid, b.to(device), lo=b[:3].to(device))
    with pytest.raises(ValueError, match="nan is not finite"):
        perp.solve_grid(grid, torch.full_like(b, float("nan")).to(device))


def test_arrays_of_numpy():
    A, b, _, _ = (t if t is None else t.detach() for t in dense("cpu"))
    ours = perp.queue_batch(A.numpy(), b.numpy())
    assert isinstance(ours.x, np.ndarray) and ours.solved.all()
    assert np.array_equal(ours.x, perp.queue_batch(A, b).x.numpy())

    class Foreign:  # an array of another library, by DLPack only
        def __init__(self, of):
            self.of = of

        def __dlpack__(self, *args, **keywords):
            return self.of.__dlpack__(*args, **keywords)

        def __dlpack_device__(self):
            return self.of.__dlpack_device__()

        asked = 0

    class Once(Foreign):
        def __dlpack__(self, *args, **keywords):
            self.asked += 1
            return super().__dlpack__(*args, **keywords)

    out = [np.zeros(b.shape), np.zeros(b.shape), np.zeros((len(b), 6))]
    loads = Once(b.numpy())
    again = perp.queue_batch(Foreign(A.numpy()), loads, out=out, threads=1)
    assert loads.asked == 1  # each question would be another capsule
    assert again.x is out[0] and np.array_equal(out[0], ours.x)
    made = perp.queue_batch(Foreign(A.numpy()), Foreign(b.numpy()), x0=Foreign(ours.x), threads=1)
    assert isinstance(made.x, np.ndarray) and made.solved.all()
    grid = perp.solve_grid(perp.Grid((5, 5)), Foreign(np.full(25, -1e-3)), x0=Foreign(np.zeros(25)))
    assert isinstance(grid.x, np.ndarray) and grid.success


@pytest.mark.skipif("cuda:0" not in DEVICES, reason="no GPU, or a wheel without CUDA")
def test_streams_and_graphs():
    A, b, _, _ = (t if t is None else t.detach() for t in dense("cuda:0", k=512, n=32))
    expected = perp.queue_batch(A, b).x.clone()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        queued = perp.queue_batch(A, b)
        twice = 2 * queued.x  # on the same stream: in order
    side.synchronize()
    assert torch.equal(twice, 2 * expected)
    graph, static = torch.cuda.CUDAGraph(), b.clone()
    with torch.cuda.graph(graph):
        captured = perp.queue_batch(A, static)
        gradient = captured.vjp(torch.ones_like(static))
    for scale in (1.0, 0.5):
        static.copy_(scale * b)
        graph.replay()
        torch.cuda.synchronize()
        plain = perp.queue_batch(A, static)
        assert torch.equal(captured.x, plain.x)
        assert torch.equal(gradient["b"], plain.vjp(torch.ones_like(static))["b"])
    with pytest.raises(ValueError, match="A is on host, but b is on cuda:0"):
        perp.queue_batch(A.cpu(), b)
    for stream in (12345, 1 << 40, id(A), side.cuda_stream):  # memory or not: nobody holds it
        with pytest.raises(ValueError, match="it is not known that this is a stream"):
            perp.queue_batch(A, b, stream=stream)
    held = perp.queue_batch(A, b, stream=side)
    held.raise_if_unsolved()
    assert torch.equal(held.x, expected)
    assert torch.equal(perp.queue_batch(A, b).x, expected)
    with pytest.raises(RuntimeError):  # out of memory: theirs
        torch.empty(1 << 50, device="cuda:0")
    assert torch.equal(perp.queue_batch(A, b).x, expected)


def test_bench(tmp_path):
    """`perp bench batch --from torch` runs this."""
    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "perp.bench", "--device", "cpu", "--problems", "8", *arguments],
                              capture_output=True, text=True)

    told, file = run("--case", "n=16"), tmp_path / "table.csv"
    assert told.returncode == 0, told.stderr
    written = run("--case", "n=16", "--csv", str(file))
    assert written.returncode == 0 and written.stdout == ""
    for text in (told.stdout, file.read_text()):
        rows = list(csv.DictReader(text.splitlines()))
        assert {(r["figures"], r["problem"], r["method"]) for r in rows} == {
            ("batch", "pd:n=16", "blockpivot from torch on cpu")}
        found = {r["figure"]: float(r["value"]) for r in rows}
        assert found["problems"] == found["solved"] == 8 and found["n"] == 16 and found["worst"] <= 1e-10
        assert min(found["us"], found["stream us"], found["vjp us"], found["vjp b us"]) > 0
    none = run("--case", "zzzzzz")
    assert none.returncode == 2 and "no case has zzzzzz in its name" in none.stderr and none.stdout == ""
