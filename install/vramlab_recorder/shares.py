"""How many elements are of which class, where the values are not known: each of n classes has an even part.

A router that picks experts, or `argmax` over scores, decides how much each branch computes. Untrained or balanced it shares its tokens out evenly; parts
are odd numbers, each another, so that they are told from sizes that the program chose itself.
"""
import math

import torch

from .common import aten, _plainly

TELLS_APART = 8                                                # shares of so many elements for each class are odd numbers, each another
SHARED_OUT = "of several classes that the largest values are of, each is taken to be met equally often"
COUNTED_ON = {aten.max.default, aten.amax.default, aten.min.default, aten.add.Tensor, aten._to_copy.default, aten.detach.default}
LARGEST = {aten.topk.default: 2, aten.argmax.default: 1, aten.argmin.default: 1, aten.max.dim: 1, aten.min.dim: 1}
WITH_VALUES = {aten.topk.default, aten.max.dim, aten.min.dim}    # before the places
SUMS = {aten.sum.default, aten.count_nonzero.default}
SAME_CLASSES = {aten.view.default, aten._unsafe_view.default, aten.clone.default, aten.detach.default, aten.unsqueeze.default, aten.squeeze.dim, aten.t.default,
                aten.transpose.int, aten.permute.default, aten._to_copy.default}


def _count_at_most(op, args, result):
    """A row's count of what is set in a mask, its greatest, and that with a number more: lengths are asked for so. All are taken to be set."""
    if op is aten.sum.dim_IntList and args[0].dtype == torch.bool and args[1]:
        result._vramlab_most = math.prod(args[0].shape[d] for d in args[1])
    elif op in COUNTED_ON and getattr(args[0], "_vramlab_most", None) is not None:
        more = args[1] if op is aten.add.Tensor else 0
        result._vramlab_most = args[0]._vramlab_most + more if isinstance(more, int) else None


def _share_out(op, args, result):
    """Which classes' values are largest is not known. Of n classes each has a part of n: a router, untrained or balanced, shares tokens out so."""
    if op in LARGEST and args[0].dim():
        dim = args[LARGEST[op]] if len(args) > LARGEST[op] else -1 if op is aten.topk.default else None
        if dim is not None:
            found = result[1] if op in WITH_VALUES else result
            found._vramlab_classes = args[0].shape[dim]
            found._vramlab_picks = found.shape[dim] if op is aten.topk.default else 1
    elif op in SAME_CLASSES and hasattr(args[0], "_vramlab_classes"):
        result._vramlab_classes, result._vramlab_picks = args[0]._vramlab_classes, getattr(args[0], "_vramlab_picks", 1)
    elif op is aten.eq.Scalar and hasattr(args[0], "_vramlab_classes"):
        result._vramlab_class = int(args[1]), args[0]._vramlab_classes
        result._vramlab_share = _share_of(*result._vramlab_class, result.numel())
        result._vramlab_class += (getattr(args[0], "_vramlab_picks", 1),)
    elif op is aten.eq.Tensor and any(hasattr(a, "_vramlab_each") and not a.dim() for a in args[:2]):    # one of the different values that there are
        result._vramlab_share = -(-result.numel() // max(getattr(a, "_vramlab_each", 0) for a in args[:2]))
    elif op is aten.eq.Tensor and any(hasattr(a, "_vramlab_classes") for a in args[:2]):    # a class is met by chance
        result._vramlab_part = 1 / max(a._vramlab_classes for a in args[:2] if hasattr(a, "_vramlab_classes"))
    elif op is aten.any.dim and hasattr(args[0], "_vramlab_share"):    # the largest of one row are different ones
        result._vramlab_share = min(args[0]._vramlab_share, result.numel())
        result._vramlab_class = getattr(args[0], "_vramlab_class", None)


def _share_of(which, classes, count):
    """An even part, but for an odd number that tells it from the others and from sizes that a program chooses; they come to the whole."""
    if not 0 <= which < classes:
        return 0
    pair = which // 2 * 2
    first, even = ((count + classes - 1 - n) // classes for n in (pair, which))
    odd = pair + 1 + first % 2
    return even if pair + 1 == classes or first < TELLS_APART * classes else even - odd if which % 2 else even + odd


def _shared_out(count, classes, dtype=torch.int64):
    """As even parts of a number as whole ones can be."""
    each, rest = divmod(count, classes)
    return _plainly(torch.tensor, [each + (n < rest) for n in range(classes)], dtype=dtype)
