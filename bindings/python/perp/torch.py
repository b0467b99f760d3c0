"""Complementarity problems as functions of PyTorch, with gradients: batches on the GPU or the CPU

    import perp.torch
    x = perp.torch.lcp(A, b)                            # (k, n), differentiable
    x = perp.torch.contact(body, J, Minv, b, mu=mu)     # contact worlds

Tensors stay where they are: kernels run on the current stream, nothing is copied or waited for.
For CPU tensors the same kernels run on the CPU. The gradients hold the active set at the solution fixed
(docs/gradients.md); at a kink the row stays at its bound, or leaves it (degenerate=)."""

import torch

from ._queue import Queued, queue_batch, queue_worlds

__all__ = ["contact", "lcp"]


class _Once(torch.autograd.Function):
    """Passes a gradient on; a derivative of it is refused."""

    @staticmethod
    def forward(ctx, name, gradient, *_):
        ctx.name, ctx.inputs = name, len(_)
        return gradient.view_as(gradient)

    @staticmethod
    def backward(ctx, *_):
        raise RuntimeError(f"perp.torch.{ctx.name} is differentiable once: double backward (gradients "
                           "of gradients, create_graph=True) is not available")


class _Solve(torch.autograd.Function):
    """x and the verdicts of a batch; `call` holds everything that is not a tensor, `names` the names of the rest."""

    @staticmethod
    def forward(ctx, call, names, *tensors):
        queued = call["queue"](**dict(zip(names, tensors)), **call["options"])
        # x itself would hold this node, which would hold x; and its change in place must be seen
        kept = Queued(queued._call, queued.x.detach(), queued.y, queued.verdicts.detach())
        ctx.call, ctx.names, ctx.queued = call, names, kept
        ctx.save_for_backward(*tensors, queued.x, queued.verdicts)
        ctx.mark_non_differentiable(queued.verdicts)
        ctx.set_materialize_grads(False)
        return queued.x, queued.verdicts

    @staticmethod
    def backward(ctx, w, *_):
        (*tensors, _, _), call = ctx.saved_tensors, ctx.call
        if w is None:
            return (None,) * (2 + len(tensors))
        wanted = [name for name, needed in zip(ctx.names, ctx.needs_input_grad[2:]) if needed]
        found = ctx.queued.vjp(w.detach().contiguous(), wanted, degenerate=call["degenerate"],
                               unsolved=call["unsolved"])
        gradients = []
        for name, tensor in zip(ctx.names, tensors):
            g = found.get(name) if name in wanted else None
            if g is not None and tensor.dim() < g.dim() and name != "J":
                g = g.sum(0)  # one for all problems
            if g is not None:
                g = g.reshape(tensor.shape)
                if torch.is_grad_enabled():
                    g = _Once.apply(call["name"], g, w, *(t for t in tensors if t.requires_grad))
            gradients.append(g)
        return (None, None, *gradients)


def _apply(name, queue, tensors, options, degenerate, unsolved, raise_if_unsolved, verdicts):
    given = {key: t for key, t in tensors.items() if t is not None}
    if "out" in options:
        raise TypeError(f"perp.torch.{name} takes no out: the gradient needs x as it was; queue_batch and "
                        "queue_worlds do")
    if "stream" in options:
        raise TypeError(f"perp.torch.{name} takes no stream: what follows would not wait for it. Call it within "
                        "torch.cuda.stream(stream)")
    call = {"name": name, "queue": queue, "options": options, "degenerate": degenerate,
            "unsolved": unsolved}
    if degenerate not in ("hold", "release"):
        raise ValueError(f"degenerate = {degenerate!r}: 'hold' or 'release'")
    if unsolved not in ("nan", "zero"):
        raise ValueError(f"unsolved = {unsolved!r}: 'nan' or 'zero'")
    options["raise_if_unsolved"] = raise_if_unsolved
    x, words = _Solve.apply(call, tuple(given), *given.values())
    return (x, words) if verdicts else x


def _check_tensors(**given):
    for name, t in given.items():
        if t is not None and not isinstance(t, torch.Tensor):
            raise TypeError(f"{name} is a {type(t).__name__}, not a tensor")


def _row(t, rank):
    return t if t is None or t.dim() >= rank else t.unsqueeze(0)


def lcp(A, b, lo=None, hi=None, *, x0=None, tol=1e-10, degenerate="hold", unsolved="nan",
        raise_if_unsolved=False, verdicts=False, **options):
    """x with lo <= x <= hi and y = A x + b complementary to it, for k problems of n <= 96 unknowns.

    A (k, n, n) or (n, n), b (k, n) or (n,), lo and hi (k, n) or (n,); 0 and infinity if both are
    None. float64. Gradients go to A, b, lo and hi.

    degenerate         the side of a kink: 'hold' or 'release'
    unsolved           the gradient of a problem that is not solved: 'nan' or 'zero'
    raise_if_unsolved  waits, and raises perp.NotSolved with the first problem that is not solved
    verdicts           also return the verdicts, (k, 6), see perp.Queued

    x0, tol and parameters of the method blockpivot are as in perp.queue_batch."""
    _check_tensors(A=A, b=b, lo=lo, hi=hi, x0=x0)
    one = b.dim() == 1
    tensors = {"A": A, "b": _row(b, 2), "lo": lo, "hi": hi}
    if x0 is not None:
        options["x0"] = _row(x0.detach(), 2)
    found = _apply("lcp", queue_batch, tensors, {"tol": tol, **options}, degenerate, unsolved,
                   raise_if_unsolved, verdicts)
    if not one:
        return found
    return (found[0][0], found[1]) if verdicts else found[0]


def contact(body, J, Minv, b, *, mu=None, lo=None, hi=None, findex=None, C=None, cfm=0.0, x0=None,
            tol=1e-10, degenerate="hold", unsolved="nan", raise_if_unsolved=False,
            verdicts=False, **options):
    """The impulses x of k contact worlds, A = J Minv J' + C, with friction.

    Takes the arrays of perp.queue_worlds (body and findex int32, the others float64) and the options
    of lcp. Gradients go to J, Minv, b, C, and to mu or to lo and hi. The method is bgs for cones (mu)
    and coloured for bounds."""
    tensors = {"body": body, "J": J, "Minv": Minv, "b": b, "mu": mu, "lo": lo, "hi": hi,
               "findex": findex, "C": C}
    _check_tensors(**tensors, x0=x0)
    options = {"tol": tol, "cfm": cfm, **options}
    if x0 is not None:
        options["x0"] = x0.detach()
    return _apply("contact", queue_worlds, tensors, options, degenerate, unsolved, raise_if_unsolved,
                  verdicts)
