"""Where a value stands among others of its row: medians, quantiles, the k-th largest, by which pruning and top-p choose.

The value is not known, but how many others are larger is what its rank says. Where a program reads it, it gets a number near 1 by which it is found again.
"""
import math

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .common import aten, plain_tolist, _plainly
from .known import KNOWN_VALUES, UNKNOWN, _known
from .parts import AS_DRAWN, OTHERWISE

# Operations whose first result is in order, as (dimension, whether it falls); and values of a known rank, as (rank, dimension).
ORDERS = {aten.sort.default: lambda t, dim=-1, falls=False: (dim, falls), aten.topk.default: lambda t, k, dim=-1, falls=True, *_: (dim, falls)}
RANKED = {aten.kthvalue.default: lambda t, k, dim=-1, *_: (k - 1, dim), aten.median.dim: lambda t, dim, *_: ((t.shape[dim] - 1) // 2, dim)}
PLACED = {aten.gather.default: lambda t, dim, index, *_: index, aten.select.int: lambda t, dim, at: at % t.shape[dim],
          aten.slice.Tensor: lambda t, dim=0, start=0, end=None, *_: range(t.shape[dim])[start:end]}
BLENDS = {aten.lerp.Tensor, aten.lerp_.Tensor, aten.lerp.Scalar, aten.lerp_.Scalar}
BEYOND = {op: beyond for name, beyond in (("gt", lambda rank, n: n - 1 - math.floor(rank)), ("ge", lambda rank, n: n - math.ceil(rank)),
                                          ("lt", lambda rank, n: math.ceil(rank)), ("le", lambda rank, n: math.floor(rank) + 1))
          for op in (getattr(aten, name).Tensor, getattr(aten, name).Scalar)}
BEYOND_ZERO = {"aten::gt": lambda left, n: left, "aten::ge": lambda left, n: n, "aten::lt": lambda left, n: 0, "aten::le": lambda left, n: n - left}
FINE = 2.0 ** -40                                              # by which they differ from 1, less than anybody prints
_ranks = {}                                                    # values of known rank that the program asked for: each is given a number of its own


def _zeros_of(zeros, ranked, n):
    """How many of n numbers that are put in order are zero, where none is negative."""
    left = zeros and zeros.left(ranked)
    return round(n * (1 - left[0] / max(ranked.numel(), 1))) if left and left[1] else 0


def _beyond(op, rank, n, none, count, left):
    """How many of so many numbers lie on that side of the value of that rank of n others like them, `none` of which were zero; `left` tells how many are not."""
    if not left or not left[1]:                                # zeros may lie anywhere
        return round(BEYOND[op](rank, n) * count / n)
    if none and rank < none:                                   # that value is itself a zero
        return BEYOND_ZERO[op._schema.name](left[0], count)
    if none:
        return round(BEYOND[op](rank, n) * count / n)
    return round(BEYOND[op](rank, n) * left[0] / n) + (count - left[0]) * (op._schema.name in ("aten::lt", "aten::le"))    # those that are zero lie below


def _rank_out(op, args, result, zeros):
    """Where a value stands among those of its row: medians, quantiles, the least of the largest. As many are larger as its rank says, whatever they are; equal ones are not expected."""
    first = args[0] if args and isinstance(args[0], FakeTensor) else None
    if first is None:
        return
    if op in ORDERS and first.dim():
        dim, falls = ORDERS[op](*args)
        result[0]._vramlab_order = dim % first.dim(), first.shape[dim], falls, _zeros_of(zeros, first, first.shape[dim])
    elif op in RANKED and first.dim():
        rank, dim = RANKED[op](*args)
        result[0]._vramlab_rank = rank, first.shape[dim], _zeros_of(zeros, first, first.shape[dim])
    elif op is aten.median.default:
        result._vramlab_rank = (first.numel() - 1) // 2, first.numel(), _zeros_of(zeros, first, first.numel())
    elif op in PLACED and hasattr(first, "_vramlab_order"):
        dim, n, falls, none = first._vramlab_order
        at = PLACED[op](*args) if len(args) > 1 and args[1] % first.dim() == dim else None
        known = _known.of(at) if isinstance(at, torch.Tensor) else None
        at = set(at if isinstance(at, range) else (at,) if isinstance(at, int) else () if known is None or known.numel() > KNOWN_VALUES else _plainly(lambda: plain_tolist(known.reshape(-1))))
        if len(at) == 1:
            result._vramlab_rank = n - 1 - min(at) if falls else min(at), n, none
    elif op in BLENDS:
        ranks, weight = [getattr(a, "_vramlab_rank", None) for a in args[:2]], _known.one(args[2])
        weight = weight if not isinstance(weight, torch.Tensor) else _plainly(weight.item) if weight.numel() == 1 else UNKNOWN
        if None not in ranks:
            (low, *of), (high, *_) = ranks
            result._vramlab_rank = low + (high - low) * (0.5 if weight is UNKNOWN else weight), *of
    elif op._schema.is_mutable and torch.Tag.inplace_view not in op.tags:
        first.__dict__.pop("_vramlab_rank", None)
    elif op in AS_DRAWN and hasattr(first, "_vramlab_order") and result.dim() and first._vramlab_order[:2] == (first.dim() - 1, result.shape[-1]):
        result._vramlab_order = result.dim() - 1, *first._vramlab_order[1:]
    elif op in AS_DRAWN and hasattr(first, "_vramlab_rank"):
        result._vramlab_rank = first._vramlab_rank
    elif op in BEYOND and first.numel() == result.numel():
        rank, n, none = getattr(args[1], "_vramlab_rank", (0, 0, 0)) if isinstance(args[1], torch.Tensor) else _ranks.get(args[1], (0, 0, 0))
        values = args[1].numel() if isinstance(args[1], torch.Tensor) else 1
        if n and (values == 1 or first.numel() == n * values):
            result._vramlab_beyond = _beyond(op, rank, n, none, first.numel(), zeros and zeros.left(first))
    elif op in OTHERWISE and hasattr(first, "_vramlab_beyond"):
        result._vramlab_beyond = first.numel() - first._vramlab_beyond
    elif op is aten.masked_fill.Scalar and getattr(args[1], "_vramlab_part", None) == 0 and _known.of(first) is not None and first.shape == result.shape:
        result._vramlab_value = _known.of(first)               # set nowhere
