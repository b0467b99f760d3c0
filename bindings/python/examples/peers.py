"""Times and verdicts of perp and of solvers that are installed beside it, on the same problems

Symmetric problems with bounds are quadratic programs, so solvers of these can be compared; every
answer is judged by perp.check, whoever made it. Times are medians, taken in turn."""

import time

import numpy as np

import perp


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


SOLVERS = {"scipy L-BFGS-B": by_scipy_lbfgsb, "scipy lsq_linear": by_scipy_lsq_linear,
           "cvxopt qp": by_cvxopt}


def main(sizes=(10, 100, 400), repeats=5, tol=1e-6):
    table = []
    for n in sizes:
        rng = np.random.default_rng(n)
        B = rng.standard_normal((n, n))
        A, b = B @ B.T / n + 0.01 * np.eye(n), rng.standard_normal(n)
        lo, hi = np.full(n, -1.0), np.full(n, 1.0)
        problem = perp.Problem(A, b, lo, hi)
        solvers = {"perp": lambda *data: perp.solve_lcp(*data).x, **SOLVERS}
        times, verdicts = {name: [] for name in solvers}, {}
        for _ in range(repeats):
            for name, solve in list(solvers.items()):
                try:
                    begin = time.perf_counter()
                    x = solve(A, b, lo, hi)
                    times[name].append(time.perf_counter() - begin)
                    verdicts[name] = perp.check(problem, x, tol)
                except ImportError:
                    del solvers[name]
        for name in solvers:
            table.append((n, name, float(np.median(times[name])), *verdicts[name][:2]))
    return table


if __name__ == "__main__":
    for n, name, seconds, solved, residual in main():
        print(f"n = {n:4d}  {name:17s} {1e3 * seconds:10.3f} ms  "
              f"{'solved' if solved else 'not solved':10s} residual {residual:.1e}")
