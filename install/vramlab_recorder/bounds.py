"""What whole numbers lie below, where they are not known one by one: ids below the size of a vocabulary, bins below their count.

`bincount`, `unique` and `one_hot` make results as long as the largest number asks; labels that were drawn below ten have ten classes at most.
"""
import torch
from torch._subclasses.fake_tensor import FakeTensor

from .common import aten, _plainly
from .known import MOST_KNOWN, _known
from .shares import LARGEST, SAME_CLASSES, WITH_VALUES


def _below(t):
    """What whole numbers, none of them negative, lie below; None where that is not known. Views share it with what they are views of."""
    if not isinstance(t, torch.Tensor):
        return int(t) + 1 if isinstance(t, (int, bool)) and t >= 0 else None
    if t.dtype == torch.bool:
        return 2
    if t.dtype.is_floating_point or t.dtype.is_complex:
        return None
    root = t if t.is_inference() or t._base is None else t._base
    known = None if hasattr(root, "_vramlab_below") else _known.of(t)
    if known is not None and known.numel() and _plainly(lambda: known.min().item()) >= 0:
        return _plainly(lambda: known.max().item()) + 1
    return getattr(root, "_vramlab_below", None)


def _below_all(ts):
    found = [_below(t) for t in ts]
    return None if None in found else max(found, default=None)


def _masked_by(a, b):
    """The other one of two, if one is 0 or 1."""
    bounds = _below(a), _below(b)
    return max(bounds) if None not in bounds and min(bounds) <= 2 else None


BELOW = {aten.multinomial.default: lambda p, *_: p.shape[-1], aten.remainder.Scalar: lambda t, by: by if by > 0 else None, aten.cat.default: lambda ts, *_: _below_all(ts),
         aten.where.self: lambda _, *both: _below_all(both), aten.masked_fill.Scalar: lambda t, _, value: _below_all((t, value)), aten.mul.Tensor: _masked_by,
         aten.rsub.Scalar: lambda t, by, *_: 2 if by == 1 and _below(t) == 2 else None,
         aten.bitwise_and.Tensor: lambda *both: min((b for b in map(_below, both) if b is not None), default=None),
         **{op: lambda t, *_: _below(t) for op in (*SAME_CLASSES, aten.slice.Tensor, aten.select.int, aten.expand.default, aten.alias.default, aten.gather.default,
                                                   aten.index_select.default, aten.index.Tensor, aten.repeat_interleave.self_int)}}
WRITES_BELOW = {aten.copy_.default: 1, aten.fill_.Scalar: 1, aten.fill_.Tensor: 1, aten.masked_fill_.Scalar: 2, aten.index_put_.default: 2, aten.scatter_.src: 3, aten.scatter_.value: 3}
DECIDED = {**{op: False for op in (aten.ge.Scalar, aten.eq.Scalar)}, **{op: True for op in (aten.lt.Scalar, aten.ne.Scalar)}}


def _tensors(values):
    for v in values:
        if isinstance(v, torch.Tensor):
            yield v
        elif isinstance(v, (list, tuple)):
            yield from _tensors(v)


def _kinds(t):
    """How many different values there are of which some were chosen; None where that is not known."""
    known = _known.of(t)
    return getattr(t, "_vramlab_kinds", None) if known is None else _plainly(lambda: known.unique().numel())


def _bound(op, args, result):
    """Places of the largest values and what is drawn by weights lie below the number of classes, wherever they go: a program that asks for others finds none."""
    if op in BELOW or op in WRITES_BELOW:
        if all(_known.of(t) is not None for t in _tensors(args)):
            return                                             # and so is the result
    if op._schema.is_mutable:
        if isinstance(args[0], FakeTensor) and not args[0].dtype.is_floating_point and args[0].dtype != torch.bool:
            root = args[0] if args[0].is_inference() or args[0]._base is None else args[0]._base
            root._vramlab_below = _below_all((args[0], args[WRITES_BELOW[op]])) if op in WRITES_BELOW else None
        return
    if op in LARGEST and args[0].dim():
        places = result[1] if op in WITH_VALUES else result
        dim = args[LARGEST[op]] if len(args) > LARGEST[op] else None
        places._vramlab_below = args[0].shape[-1 if dim is None else dim] if dim is not None or op is aten.topk.default else args[0].numel()
    elif not isinstance(result, FakeTensor):
        return
    elif op in DECIDED and isinstance(args[1], int) and result.numel() <= MOST_KNOWN and _known.of(args[0]) is None:
        below = _below(args[0])
        if below is not None and below <= args[1]:
            result._vramlab_value = _plainly(torch.full, result.shape, DECIDED[op])
    elif op in BELOW and result.dtype in (torch.int64, torch.int32):
        result._vramlab_below = BELOW[op](*args)
        if op is aten.index.Tensor and result._vramlab_below is not None:
            result._vramlab_kinds = _kinds(args[0])
        result._vramlab_masked = op is aten.mul.Tensor
    elif op is aten.add.Tensor and any(getattr(a, "_vramlab_masked", False) for a in args[:2]) and all(
            getattr(a, "_vramlab_masked", False) or isinstance(a, torch.Tensor) and _known.of(a) is not None for a in args[:2]):    # x * mask + other * (1 - mask)
        result._vramlab_below = _below_all(args[:2])
