"""The examples run, and find what they should"""

import importlib.util
import os

import numpy as np
import pytest

import perp

pytest.importorskip("scipy")
FOLDER = os.path.join(os.path.dirname(__file__), "..", "examples")


def example(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(FOLDER, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", range(5))
def test_game(seed):
    r = example("game").main(seed=seed)
    p, q, A, B = r["p"], r["q"], r["A"], r["B"]
    assert abs(p.sum() - 1) < 1e-9 and abs(q.sum() - 1) < 1e-9 and min(p.min(), q.min()) >= 0
    # no player pays less by another pure strategy
    assert (A @ q).min() >= p @ A @ q - 1e-7 and (p @ B).min() >= p @ B @ q - 1e-7


def test_balance():
    r = example("balance").main()
    assert r["controller"][1] < 0.1 < 0.5 < r["no control"][1] and r["controller"][0] > r["no control"][0] + 0.3


def test_american_put():
    r = example("american_put").main()
    v = r["surface"]
    assert (v >= r["payoff"] - 1e-12).all() and v.shape == (101, 199)
    assert (np.diff(v[:, 60]) <= 1e-9).all()  # less time left, less worth
    # beside the binomial tree of Cox, Ross and Rubinstein
    tree = binomial(10, 10, 0.05, 0.3, 1)
    assert np.interp(10, r["price"], v[0]) == pytest.approx(tree, rel=5e-3)


def binomial(price, strike, rate, sigma, years, steps=1000):
    dt = years / steps
    up = np.exp(sigma * np.sqrt(dt))
    chance = (np.exp(rate * dt) - 1 / up) / (up - 1 / up)
    v = np.maximum(strike - price * up ** np.arange(-steps, steps + 1, 2.0), 0)
    for k in range(steps - 1, -1, -1):
        s = price * up ** np.arange(-k, k + 1, 2.0)
        v = np.maximum(strike - s, np.exp(-rate * dt) * (chance * v[1:] + (1 - chance) * v[:-1]))
    return v[0]


def test_obstacle(tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    picture = tmp_path / "obstacle.png"
    r = example("obstacle").main(n=63, picture=picture)
    u, psi = r["u"], r["psi"]
    assert r["result"].success and (u >= psi - 1e-9).all() and picture.stat().st_size > 1000
    around = np.pad(u, 1)
    laplace = (4 * u - around[:-2, 1:-1] - around[2:, 1:-1] - around[1:-1, :-2] - around[1:-1, 2:])
    assert (laplace >= -1e-9).all() and abs(laplace[u > psi + 1e-6]).max() < 1e-8
    assert 0.01 < r["contact"].mean() < 0.5


def test_falling_discs(tmp_path):
    s = example("falling_discs").main(steps=15, page=tmp_path / "discs.html")
    assert len(s) == 15 and sum(not shape.fixed for shape in s.shapes) == 200
    assert (tmp_path / "discs.html").stat().st_size > 10000


def test_control():
    r = example("control").main()
    assert (abs(r["forces"]) <= 1).all() and (abs(r["forces"]) == 1).any()  # bounds matter
    assert abs(r["states"][-1]).max() < 1e-2 < abs(r["states"][0]).max()
    x, y = r["last"].x, r["last"].y
    np.testing.assert_allclose(x, np.clip(x - y, -1, 1), atol=1e-7)


def test_peers():
    """Ours are solved; so are the peers', which are there if their packages are."""
    module = example("peers")
    table = module.main(sizes=(8,), repeats=1)
    assert {row[0] for row in table if row[2] == "perp" and row[4]} == set(module.KINDS)
    assert len(table) >= 6  # scipy is there
    assert all(row[4] for row in table if "siconos PGS" not in row)
    for package, kinds in (("cvxopt", {"boxed", "qp"}), ("siconos", {"lcp"})):
        if importlib.util.find_spec(package):
            assert {row[0] for row in table if row[2].startswith(package)} == kinds


def test_learn_friction():
    module = example("learn_friction")
    r = module.main()
    assert r["mu"] == pytest.approx(0.35, abs=1e-4)
    # the gradient through all steps against a difference of losses
    at = 0.5
    slope = module.loss_and_gradient(r["start"], at, r["observed"])[1]
    up, down = (module.loss_and_gradient(r["start"], at + h, r["observed"])[0]
                for h in (1e-6, -1e-6))
    assert slope == pytest.approx((up - down) / 2e-6, rel=1e-5)


def test_torch_layer():
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    module = example("torch_layer")
    r = module.main()
    assert min(r["losses"]) < 1e-12 < r["losses"][0]
    assert float((r["k"] / r["truth"] - 1).abs().max()) < 1e-4
    assert (r["observed"] == 0).any()  # the ground holds it somewhere
    # autograd against differences, with rows at both bounds
    torch.manual_seed(1)
    B = torch.randn(5, 5, dtype=torch.float64)
    A, b = B @ B.T + torch.eye(5), 3 * torch.randn(5, dtype=torch.float64)
    lo, hi = torch.full_like(b, -0.2), torch.full_like(b, 0.3)
    x = module.solve(A, b, lo, hi)
    assert (x == lo).any() and (x == hi).any() and ((lo < x) & (x < hi)).any()
    data = [t.clone().requires_grad_() for t in (A, b, lo, hi)]
    assert torch.autograd.gradcheck(module.Solve.apply, data, eps=1e-6, atol=1e-6)


def test_jax_layer():
    pytest.importorskip("jax")
    module = example("jax_layer")
    r = module.main()
    np.testing.assert_allclose(r["c"], r["truth"], atol=1e-6)
    c, v, h = np.array([1.0, 8.0, 0.3, 2.0]), np.array([0.3, -0.2, 0.5, 0.1]), 1e-6
    difference = (float(r["value"](c + h * v)) - float(r["value"](c - h * v))) / (2 * h)
    assert float(np.asarray(r["slope"](c)) @ v) == pytest.approx(difference, rel=1e-5)


def test_push_box():
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    module = example("push_box")
    module.STEPS = 14
    start = torch.tensor([0.5, 1.1], dtype=torch.float64, requires_grad=True)
    path = module.drive(*start)
    assert path[-1] > 0.01  # it moved
    assert torch.autograd.gradcheck(lambda v: module.drive(*v)[[6, 13]], [start], eps=1e-6, atol=1e-5)
    found = module.identify(truth=(0.3, 1.3), guess=(0.4, 1.1))
    assert found["mu"] == pytest.approx(0.3, abs=1e-5) and found["mass"] == pytest.approx(1.3, abs=1e-5)
    module.STEPS = 24
    torch.manual_seed(1)
    before = module.test(module.Policy(), worlds=8)
    learned = module.learn(worlds=6, iterations=8)
    assert np.isfinite(learned["curve"]).all()
    assert module.test(learned["policy"], worlds=8)["mean"] < 0.8 * before["mean"]


def test_qpsolvers():
    qpsolvers = pytest.importorskip("qpsolvers", reason="qpsolvers is not installed")
    problems = pytest.importorskip("qpsolvers.problems")
    csc = pytest.importorskip("scipy.sparse").csc_matrix
    solve = example("qpsolvers_perp").perp_solve_problem
    published = [f"get_qpsut0{k}" for k in range(1, 6)] + ["get_qptest"]
    for name in published:
        problem, right = getattr(problems, name)()
        r = solve(problem)
        assert r.found and r.is_optimal(1e-6), name  # residuals and gap by their code
        np.testing.assert_allclose(r.x, right.x, atol=1e-5, err_msg=name)
    problem, right = problems.get_qptest()
    np.testing.assert_allclose(r.z, right.z, atol=1e-7)
    np.testing.assert_allclose(r.z_box, right.z_box, atol=1e-7)
    for initvals in None, right.x:
        assert solve(problem, initvals=initvals, tol=1e-10, method="ipm").is_optimal(1e-9)
    # one row of each kind, sparse; only bounds; no constraint; none that satisfies all
    P, q, one = np.diag([2.0, 4.0]), np.zeros(2), np.ones((1, 2))
    r = solve(qpsolvers.Problem(csc(P), q, csc(-one), np.array([-1.0]), csc([[1.0, -1]]), np.array([1.0])))
    np.testing.assert_allclose(np.concatenate([r.x, r.z, r.y]), [1, 0, 1, -1], atol=1e-7)
    r = solve(qpsolvers.Problem(P, q, lb=np.array([1.0, -1])))
    np.testing.assert_allclose(np.concatenate([r.x, r.z_box]), [1, 0, -2, 0], atol=1e-7)
    np.testing.assert_allclose(solve(qpsolvers.Problem(P, -np.ones(2))).x, [0.5, 0.25], atol=1e-7)
    assert not solve(qpsolvers.Problem(P, q, one, np.array([-1.0]), lb=np.zeros(2))).found
