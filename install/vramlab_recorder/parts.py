"""How many elements of a mask are set, where it follows from how numbers were drawn, padded or written.

`x[mask]` has as many elements as the mask has set, which only a GPU knows. Of a comparison of drawn numbers the part is known (`drawn`); of what a known
mask made zero, where it is not zero; of places that were written, how many they are.
"""
import torch
from torch._subclasses.fake_tensor import FakeTensor

from .common import aten, _plainly
from .drawn import DRAWN_HOW, _whole
from .known import MOST_KNOWN, _known
from .shares import SAME_CLASSES

PARTS = {aten.lt.Scalar: lambda below, x: below(x, False), aten.le.Scalar: lambda below, x: below(x, True),
         aten.gt.Scalar: lambda below, x: 1 - below(x, True), aten.ge.Scalar: lambda below, x: 1 - below(x, False),
         aten.eq.Scalar: lambda below, x: below(x, True) - below(x, False), aten.ne.Scalar: lambda below, x: 1 - below(x, True) + below(x, False)}
BOTH = {aten.bitwise_and.Tensor: lambda a, b: a * b, aten.logical_and.default: lambda a, b: a * b,
        aten.bitwise_or.Tensor: lambda a, b: a + b - a * b, aten.logical_or.default: lambda a, b: a + b - a * b}
OTHERWISE = {aten.bitwise_not.default, aten.logical_not.default}
NOT_NUMBERS = {aten.isnan.default, aten.isinf.default, aten.ne.Tensor, aten.eq.Scalar}    # isnan(x) is x != x, isinf(x) is abs(x) == inf
ANY = {aten.any.default, aten.any.dim, aten.any.dims}
AS_DRAWN = {*SAME_CLASSES, aten.slice.Tensor, aten.select.int, aten.expand.default, aten.alias.default}
SURE = {aten.max.dim, aten.amax.default}
WITH_PLACES = {aten.max.dim, aten.sort.default, aten.sort.stable}
OUTDONE = {aten.gt.Tensor, aten.ge.Tensor, aten.lt.Tensor}
CHOSEN = {aten.gather.default, aten.index_select.default, aten.index.Tensor}
SPLITS = {aten.split.Tensor, aten.split_with_sizes.default, aten.unbind.int}
OF_DRAWN = ("_vramlab_drawn", "_vramlab_part", "_vramlab_each")
WRITTEN_IN_PLACES = {aten.index_put_.default, aten.masked_fill_.Scalar, aten.masked_fill_.Tensor}
WRITTEN_WHOLE = {aten.fill_.Scalar, aten.fill_.Tensor, aten.zero_.default, aten.copy_.default}


def _part_of(mask):
    """Which part of a mask is set, where it follows from how numbers were drawn; None elsewhere."""
    if hasattr(mask, "_vramlab_drawn"):
        below = mask._vramlab_drawn
        return min(max(1 - below(0, True) + below(0, False), 0.0), 1.0)
    part = getattr(mask, "_vramlab_part", None)
    if part is None and isinstance(mask, FakeTensor) and mask.dtype == torch.bool:
        known = _known.of(mask)
        return None if known is None or not known.numel() else _plainly(lambda: known.float().mean().item())
    return part


def _is_none_of(drawn, value):
    """Whether a whole number is known not to be one of those that are drawn so."""
    known = _known.of(value) if isinstance(value, torch.Tensor) else value
    if isinstance(known, torch.Tensor):
        known = _plainly(known.item) if known.numel() == 1 else None
    return known is not None and drawn(known, True) == drawn(known, False)


def _holds_more_than_zeros(tensor):
    """Whether a tensor is known to hold something else than zeros."""
    known = _known.of(tensor)
    return known is not None and _plainly(lambda: bool((known != 0).any()))


def _draw_out(op, args, result):
    """Follows drawn numbers to the masks that are made of them."""
    if op is aten.gather.default and args[0].dim():
        result._vramlab_one_of = args[0].untyped_storage()._cdata, args[0].shape[args[1]]
    if op in DRAWN_HOW:
        result._vramlab_drawn = DRAWN_HOW[op](args)
    elif op in (*AS_DRAWN, *CHOSEN) and any(hasattr(args[0], name) for name in OF_DRAWN) or op in SPLITS:
        for name in OF_DRAWN:
            if hasattr(args[0], name):
                setattr(result, name, getattr(args[0], name))
    elif op in PARTS and hasattr(args[0], "_vramlab_drawn"):
        result._vramlab_part = min(max(PARTS[op](args[0]._vramlab_drawn, args[1]), 0.0), 1.0)
    elif op in OTHERWISE and hasattr(args[0], "_vramlab_part"):
        result._vramlab_part = 1 - args[0]._vramlab_part
    elif op in BOTH and any(hasattr(a, "_vramlab_part") for a in args):
        parts = [_part_of(a) for a in args[:2]]
        if None not in parts:
            result._vramlab_part = BOTH[op](*parts)
    elif op in WRITTEN_IN_PLACES and not args[0].dtype.is_floating_point and hasattr(args[0], "_vramlab_drawn"):
        if _is_none_of(args[0]._vramlab_drawn, args[2]):       # then how many are still as they were drawn is not known
            del args[0]._vramlab_drawn
    elif op in WRITTEN_WHOLE:
        for name in OF_DRAWN:
            args[0].__dict__.pop(name, None)
    elif op is aten._softmax.default and args[0].dim():        # of n classes each has about its part
        classes = result._vramlab_of = args[0].shape[args[1]]
        result._vramlab_drawn = lambda bound, within: float(bound * classes > 1)
    elif op in SURE and hasattr(args[0], "_vramlab_of"):       # and the largest is more than a half of it only for who has learnt
        classes = args[0]._vramlab_of
        (result[0] if op is aten.max.dim else result)._vramlab_drawn = lambda bound, within: float(bound * classes > 1 and bound >= 0.5)
    elif op in WITH_PLACES and op is not aten.max.dim and result[1].dim():                # each place once, where all are sorted
        rest = [a for a in args[1:] if isinstance(a, int) and not isinstance(a, bool)]
        result[1]._vramlab_drawn = _whole((0, max(result[1].shape[rest[0] if rest else -1], 1)))
    elif op in OUTDONE and getattr(args[1], "_vramlab_one_of", (0,))[0] == args[0].untyped_storage()._cdata:
        result._vramlab_rank_of = args[1]._vramlab_one_of[1]
    elif op is aten.sum.dim_IntList and hasattr(args[0], "_vramlab_rank_of"):    # how many outdo the one that is looked for: as many as chance has it
        result._vramlab_drawn = _whole((0, args[0]._vramlab_rank_of))
    elif op is aten.any.dim and getattr(args[0], "_vramlab_part", 0) > 0 and result.numel():
        result._vramlab_part = 1 - (1 - args[0]._vramlab_part) ** (args[0].numel() / result.numel())
    elif op in NOT_NUMBERS and (op is not aten.ne.Tensor or args[0] is args[1]) and (op is not aten.eq.Scalar or args[1] == float("inf")):
        result._vramlab_part = 0.0                             # as with truth: what programs look for in this way they do not find
    elif op in ANY and getattr(args[0], "_vramlab_part", None) == 0:
        result._vramlab_true, result._vramlab_part = False, 0.0


PADDED_LIKE = {aten._to_copy.default, aten.clone.default, aten.detach.default, aten.alias.default}
NOT_ZERO = {aten.ne.Scalar: True, aten.eq.Scalar: False}


def _kept_of(tensor):
    """Where numbers are that were not made zero, unless they were written to since."""
    kept, version = getattr(tensor, "_vramlab_kept", (None, None))
    return kept if kept is None or tensor.is_inference() or tensor._version == version else None


def _pad_out(op, args, result):
    """Follows what is made zero outside of a known mask to the masks that ask where it is not; says whether it found one. Within it nothing is taken to be zero."""
    kept = None
    if op is aten.mul.Tensor and all(isinstance(a, torch.Tensor) for a in args[:2]):
        known = [_known.of(a) for a in args[:2]]
        if (known[0] is None) != (known[1] is None):           # of the other one it may be known, too
            mask, other = (args[0], args[1]) if known[1] is None else (args[1], args[0])
            if not mask.dtype.is_floating_point and mask.dim() and result.numel() <= MOST_KNOWN:
                kept = _plainly(lambda: (_known.of(mask) != 0).expand(result.shape))
                before = _kept_of(other)
                kept = kept if before is None else _plainly(lambda: kept & before)
    elif op is aten.masked_fill.Scalar and args[2] == 0 and _known.of(args[1]) is not None and _known.of(args[0]) is None:
        kept = _plainly(lambda: ~_known.of(args[1]).expand(result.shape)) if result.numel() <= MOST_KNOWN else None
    elif args and isinstance(args[0], torch.Tensor) and _kept_of(args[0]) is not None:
        if op in NOT_ZERO and args[1] == 0 or op is aten._to_copy.default and result.dtype == torch.bool:
            result._vramlab_value = _plainly(torch.eq, _kept_of(args[0]), NOT_ZERO.get(op, True))
            return True
        if op in PADDED_LIKE:
            kept = _kept_of(args[0])
        elif op in AS_DRAWN:
            kept = _plainly(lambda: op(_kept_of(args[0]).contiguous(), *args[1:]))    # which may lie otherwise than the numbers do
    if kept is not None:
        result._vramlab_kept = (kept, 0 if result.is_inference() else result._version)
    return False


MASKS = {torch.bool, torch.uint8}
EMPTY_MASKS = {aten.zeros.default, aten.zeros_like.default, aten.new_zeros.default}
JOINED_MASKS = {aten.bitwise_or.Tensor, aten.logical_or.default}


def _count_written(op, args, mask):
    """In how many places a mask was set, where it was made of zeros and then written to at places that are not known."""
    count = None
    if op in EMPTY_MASKS:
        count = 0
    elif op is aten.index_put_.default and len(args[1]) == 1 and args[1][0] is not None and args[1][0].dtype not in MASKS:
        before = getattr(args[0], "_vramlab_written", None)
        count = None if before is None else before + args[1][0].numel()
    elif op in (aten.scatter_.value, aten.scatter.value):
        before = getattr(args[0], "_vramlab_written", None)
        count = None if before is None else before + args[2].numel()
    elif op in ANY and getattr(args[0], "_vramlab_written", None) is not None:    # rows in which there is one
        count = min(args[0]._vramlab_written, mask.numel())
    elif op in JOINED_MASKS or op is aten.cat.default:
        counts = [getattr(t, "_vramlab_written", None) for t in (args[0] if op is aten.cat.default else args[:2])]
        count = None if None in counts else sum(counts)
    elif not op._schema.is_mutable:
        return
    mask._vramlab_written = count
