"""Times and verdicts of perp and of other installed solvers, on the same problems

    boxed   lo <= x <= hi, symmetric: quadratic programs too, for SciPy and CVXOPT
    lcp     x >= 0, not symmetric: for Siconos' Lemke, Newton and PGS
    qp      equations, inequalities and bounds: for CVXOPT and SciPy's SLSQP

Every answer is judged by perp.check, or by the same three measures of a quadratic program, whoever
made it. Times are medians, taken in turn."""

import time

import numpy as np

import perp

# ---- boxed ----


def by_scipy_lbfgsb(A, b, lo, hi):
    from scipy.optimize import minimize
    done = minimize(lambda x: (0.5 * x @ A @ x + b @ x, A @ x + b), np.zeros(len(b)), jac=True,
                    method="L-BFGS-B", bounds=list(zip(lo, hi)),
                    options={"maxiter": 10**5, "maxfun": 10**6, "ftol": 1e-16, "gtol": 1e-10})
    return done.x


def by_scipy_lsq_linear(A, b, lo, hi):
    from scipy.optimize import lsq_linear
    L = np.linalg.cholesky(A)
    return lsq_linear(L.T, -np.linalg.solve(L, b), bounds=(lo, hi), method="bvls", tol=1e-14).x


def by_cvxopt(A, b, lo, hi):
    from cvxopt import matrix, solvers
    solvers.options.update(show_progress=False, abstol=1e-12, reltol=1e-12, feastol=1e-12)
    n = len(b)
    G = np.vstack([-np.eye(n), np.eye(n)])
    return np.ravel(solvers.qp(matrix(A), matrix(b), matrix(G), matrix(np.append(-lo, hi)))["x"])


def boxed(n):
    rng = np.random.default_rng(n)
    B = rng.standard_normal((n, n))
    data = (B @ B.T / n + 0.01 * np.eye(n), rng.standard_normal(n), np.full(n, -1.0), np.ones(n))
    problem = perp.Problem(*data)
    return data, lambda x, tol: perp.check(problem, x, tol)[:2]


# ---- lcp ----


def by_siconos(name):
    def solve(A, b):
        import siconos.numerics as siconos
        x, y = np.zeros(len(b)), np.zeros(len(b))
        options = siconos.SolverOptions(getattr(siconos, "SICONOS_LCP_" + name))
        options.dparam[0], options.iparam[0] = 1e-10, 100000
        siconos.linearComplementarity_driver(siconos.LCP(A, b), x, y, options)
        return x

    return solve


def lcp(n):
    rng = np.random.default_rng(n)
    B, S = rng.standard_normal((n, n)), rng.standard_normal((n, n))
    data = (B @ B.T / n + 0.1 * (S - S.T) + 0.01 * np.eye(n), rng.standard_normal(n))
    problem = perp.Problem(*data)
    return data, lambda x, tol: perp.check(problem, x, tol)[:2]


# ---- qp: min x'P x / 2 + q'x, A x = a, G x <= h, lb <= x <= ub ----


def by_perp_qp(P, q, A, a, G, h, lb, ub):
    return perp.solve_qp(P, q, np.vstack([A, G]), np.append(a, np.full(len(h), -np.inf)),
                         np.append(a, h), lb, ub).x


def by_cvxopt_qp(P, q, A, a, G, h, lb, ub):
    from cvxopt import matrix, solvers
    solvers.options.update(show_progress=False, abstol=1e-10, reltol=1e-10, feastol=1e-10)
    n = len(q)
    all_G = np.vstack([G, np.eye(n), -np.eye(n)])
    return np.ravel(solvers.qp(matrix(P), matrix(q), matrix(all_G),
                               matrix(np.concatenate([h, ub, -lb])), matrix(A), matrix(a))["x"])


def by_scipy_slsqp(P, q, A, a, G, h, lb, ub):
    from scipy.optimize import minimize
    rows = [{"type": "eq", "fun": lambda x: A @ x - a, "jac": lambda x: A},
            {"type": "ineq", "fun": lambda x: h - G @ x, "jac": lambda x: -G}]
    return minimize(lambda x: (0.5 * x @ P @ x + q @ x, P @ x + q), np.zeros(len(q)), jac=True,
                    method="SLSQP", bounds=list(zip(lb, ub)), constraints=rows,
                    options={"maxiter": 1000, "ftol": 1e-14}).x


def qp(n):
    rng = np.random.default_rng(n)
    B, m = rng.standard_normal((n, n)), max(1, n // 5)
    P, q = B @ B.T / n + 0.1 * np.eye(n), rng.standard_normal(n)
    A, G, inside = rng.standard_normal((m, n)), rng.standard_normal((m, n)), rng.random(n) - 0.5
    data = (P, q, A, A @ inside, G, G @ inside + 0.1, np.full(n, -1.0), np.ones(n))
    best = perp.solve_qp(P, q, np.vstack([A, G]), np.append(data[3], np.full(m, -np.inf)),
                         np.append(data[3], data[5]), -1.0, 1.0, tol=1e-12).x
    value = 0.5 * best @ P @ best + q @ best

    def verdict(x, tol):
        worst = max(abs(A @ x - data[3]).max(), (G @ x - data[5]).max(), abs(x).max() - 1, 0,
                    (0.5 * x @ P @ x + q @ x - value) / max(1, abs(value)))
        return worst <= tol, worst

    return data, verdict


KINDS = {
    "boxed": (boxed, {"perp": lambda *data: perp.solve_lcp(*data).x,
                      "scipy L-BFGS-B": by_scipy_lbfgsb, "scipy lsq_linear": by_scipy_lsq_linear,
                      "cvxopt qp": by_cvxopt}),
    "lcp": (lcp, {"perp": lambda *data: perp.solve_lcp(*data).x,
                  "siconos Lemke": by_siconos("LEMKE"),
                  "siconos Newton": by_siconos("NEWTON_FB_FBLSA"),
                  "siconos PGS": by_siconos("PGS")}),
    "qp": (qp, {"perp": by_perp_qp, "cvxopt qp": by_cvxopt_qp, "scipy SLSQP": by_scipy_slsqp}),
}


def main(sizes=(10, 100, 400), repeats=5, tol=1e-6, kinds=tuple(KINDS)):
    """Rows (kind, n, solver, median seconds, solved, residual); who is not installed has none."""
    table = []
    for kind in kinds:
        make, known = KINDS[kind]
        for n in sizes:
            data, verdict = make(n)
            solvers, times, verdicts = dict(known), {name: [] for name in known}, {}
            for _ in range(repeats):
                for name, solve in list(solvers.items()):
                    try:
                        begin = time.perf_counter()
                        x = solve(*data)
                        times[name].append(time.perf_counter() - begin)
                        verdicts[name] = verdict(x, tol)
                    except ImportError:
                        del solvers[name]
            table += [(kind, n, name, float(np.median(times[name])), *verdicts[name])
                      for name in solvers]
    return table


if __name__ == "__main__":
    for kind, n, name, seconds, solved, residual in main():
        print(f"{kind:6s} n = {n:4d}  {name:17s} {1e3 * seconds:10.3f} ms  "
              f"{'solved' if solved else 'not solved':10s} residual {residual:.1e}")
