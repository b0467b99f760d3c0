"""A complementarity problem as a layer of PyTorch

`solve(A, b, lo, hi)` is x with lo <= x <= hi and y = A x + b complementary to it, and autograd
goes through it: backward is one Result.vjp, a solve with the reduced matrix.

The example: a rope of springs hangs above the ground, which holds it where it sags. Its heights x
were observed under several loads, and the stiffnesses k > 0 are found from them:

    x >= 0,   y = D' diag(k) D x - D' diag(k) D h + load >= 0,   x'y = 0

with D the differences of neighbours and h the rope without a load."""

import numpy as np
import torch

import perp


class Solve(torch.autograd.Function):
    @staticmethod
    def forward(ctx, A, b, lo, hi):
        ctx.result = perp.solve_lcp(*(t.detach().numpy() for t in (A, b, lo, hi)), tol=1e-12,
                                    strict=True)
        return torch.from_numpy(ctx.result.x.copy())

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, w):
        g = ctx.result.vjp(w.contiguous().numpy(), wrt=("A", "b", "lo", "hi"))
        return tuple(torch.from_numpy(np.ascontiguousarray(part)) for part in (g.A, g.b, g.lo, g.hi))


def solve(A, b, lo=None, hi=None):
    lo = torch.zeros_like(b) if lo is None else lo
    hi = torch.full_like(b, np.inf) if hi is None else hi
    return Solve.apply(A, b, lo, hi)


def rope(k, loads, h):
    """The heights of the rope under each load; k has one spring more than the rope has knots."""
    D = torch.eye(len(k), len(h), dtype=k.dtype) - torch.diag(
        torch.ones(len(h), dtype=k.dtype), -1)[:, :len(h)]
    A = D.T @ (k[:, None] * D)
    return torch.stack([solve(A, load - A @ h) for load in loads])


def main(knots=12, iterations=60):
    torch.manual_seed(3)
    truth = 1 + torch.rand(knots + 1, dtype=torch.float64)
    h = torch.full((knots,), 0.2, dtype=torch.float64)
    loads = 0.05 * torch.rand(8, knots, dtype=torch.float64)
    observed = rope(truth, loads, h)
    log_k = torch.full_like(truth, 0.3).requires_grad_()
    search = torch.optim.LBFGS([log_k], max_iter=iterations, line_search_fn="strong_wolfe",
                               tolerance_grad=1e-14, tolerance_change=0)
    losses = []

    def closure():
        search.zero_grad()
        loss = ((rope(log_k.exp(), loads, h) - observed) ** 2).sum()
        loss.backward()
        losses.append(loss.item())
        return loss

    search.step(closure)
    return {"k": log_k.detach().exp(), "truth": truth, "losses": losses, "observed": observed}


if __name__ == "__main__":
    found = main()
    error = float((found["k"] / found["truth"] - 1).abs().max())
    on_ground = int((found["observed"] == 0).sum())
    print(f"loss {found['losses'][0]:.1e} -> {min(found['losses']):.1e}, stiffness to {error:.1e}; "
          f"{on_ground} of {found['observed'].numel()} heights on the ground")
