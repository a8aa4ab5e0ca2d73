"""Values and counts that only a GPU knows: what they are taken to be, with a note at the program's line.

Truth is what the program expects, sizes are as `parts`, `shares`, `ranks` and `bounds` tell them, else as large as they can be; loops that such a value
ends go as vramlab_loops.py counts them.
"""
import operator

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .asked import _fails_if
from .bounds import _below, _kinds
from .common import aten, _frames, _has_tensor, plain_tolist, _plainly, TraceError
from .known import KNOWN_VALUES, _known
from .parts import MASKS, _holds_more_than_zeros, _part_of
from .ranks import FINE, _ranks
from .shares import SHARED_OUT, SUMS, TELLS_APART, _shared_out

SORTS_OUT = {aten._unique2.default, aten.unique_dim.default, aten.unique_dim_consecutive.default, aten.unique_consecutive.default, aten.bincount.default}
COMPARES = {aten.gt.Scalar: operator.gt, aten.ge.Scalar: operator.ge, aten.lt.Scalar: operator.lt, aten.le.Scalar: operator.le}
TRUE_OF_ALL = {aten.all.default, aten.all.dim, aten.all.dims, aten._is_all_true.default}
TRUE_OF_ONE = {aten.any.default, aten.bitwise_not.default, aten.logical_not.default, aten.bitwise_and.Tensor, aten.logical_and.default}


def _is_finite(op, args):
    """isfinite(x) is (x == x) * (abs(x) != inf); what a program asks for is that it is."""
    if op is aten.mul.Tensor:
        return all(getattr(a, "_vramlab_true", False) for a in args)
    return op is aten.eq.Tensor and args[0] is args[1] or op is aten.ne.Scalar and args[1] == float("inf")


class _Unknown:
    """Answers for values that are not known. `self.zeros` follows zeros that were written or multiplied in, `self.loops` how often loops go round."""

    def unknown(self, op, args, kwargs):
        """Values and shapes that depend on data. Values are plausible, shapes as large as they can be; both are noted."""
        if op is aten._local_scalar_dense.default:
            if args[0].device.type == "cuda":
                self.waited()
            known = _known.of(args[0])
            if known is not None:
                return _plainly(known.item)
            dtype = args[0].dtype
            scaler = any(f.f_code.co_filename.endswith("grad_scaler.py") for f in _frames(12))
            if not scaler and not self.searching and not dtype.is_complex:
                ends = self.as_a_loop_goes(bool if dtype == torch.bool else float if dtype.is_floating_point else int, getattr(args[0], "_vramlab_true", None))
                if ends is not None:
                    return ends
            if getattr(args[0], "_vramlab_most", None) is not None:
                self.note(f"how many elements of a mask are set is not known without a GPU; taken as all, {args[0]._vramlab_most}")
                return args[0]._vramlab_most
            failing = _fails_if() if dtype == torch.bool else None
            if self.searching and dtype.is_floating_point:
                self.searching += 1
                self.note("LBFGS is taken to use all its iterations, and to end each line search with its first step")
                return 1.0 / self.searching
            count = self.zeros.one(args[0]) if self.zeros is not None else None
            if count is not None:
                return bool(count) if dtype == torch.bool else float(count) if dtype.is_floating_point else count
            if hasattr(args[0], "_vramlab_rank") and dtype.is_floating_point:
                value = 1 + (len(_ranks) + 1) * FINE
                _ranks[value] = args[0]._vramlab_rank
                self.note("the value of a tensor is not known without a GPU; taken as 1.0, of the rank that it has")
                return value
            if hasattr(args[0], "_vramlab_about"):
                self.note(f"how many elements of a mask are set is not known without a GPU; taken as {args[0]._vramlab_about}")
                return float(args[0]._vramlab_about) if dtype.is_floating_point else round(args[0]._vramlab_about)
            value = failing if failing is not None else getattr(args[0], "_vramlab_true", False) if dtype == torch.bool else (0.0 if scaler else 1.0) if dtype.is_floating_point else 1
            self.note(f"the value of a tensor is not known without a GPU; taken as {value}")
            return value
        if op is aten.equal.default:
            if args[0].shape != args[1].shape:                     # before any number is looked at (cuda_equal)
                return False
            first, second = _known.of(args[0]), _known.of(args[1])
            if first is not None and second is not None:
                return _plainly(torch.equal, first, second)
            ends = self.as_a_loop_goes(bool)
            if ends is not None:
                return ends
            expected = getattr(args[0], "_vramlab_true", None)     # is_scalar_tensor_true, by which operations check what they are given
            equal = True if expected is None or args[1].dim() else expected
            self.note(f"whether two tensors are equal is not known without a GPU; taken as {equal}")
            return equal
        if op is aten.nonzero.default:
            places = args[0].new_empty((self.chosen(args[0], "how many elements are not zero"), args[0].dim()), dtype=torch.int64)
            if places.shape[0] == args[0].numel() <= KNOWN_VALUES:    # where all are taken to be, they are in all places
                places._vramlab_value = _plainly(lambda: torch.ones(args[0].shape).nonzero())
            return places
        if op is aten._ctc_loss.default:
            scores = args[0]
            return scores.new_empty((scores.shape[1],)), scores.new_empty((scores.shape[1], scores.shape[0], 2 * max(args[3]) + 1))
        if op is aten.linalg_lstsq.default:
            a, b = args[:2]
            tall = a.shape[-2] > a.shape[-1]
            return (b.new_empty((*a.shape[:-2], a.shape[-1], *b.shape[a.dim() - 1:])), a.new_empty((*a.shape[:-2], b.shape[-1]) if tall else (0,)),
                    a.new_empty((0,), dtype=torch.int64), a.new_empty((0,)))
        if op.name() == "torchvision::nms":
            self.note("how many boxes are left after overlapping ones are dropped is not known without a GPU; taken as all")
            return args[0].new_empty((args[0].shape[0],), dtype=torch.int64)
        if op is aten.masked_select.default:
            return args[0].new_empty((self.chosen(args[1], "how many elements a mask selects"),))
        if op is aten.index.Tensor:
            indices = []
            for i in args[1]:
                if i is not None and i.dtype in (torch.bool, torch.uint8):
                    count = self.chosen(i, "how many elements a mask selects")
                    indices += [i.new_empty((count,), dtype=torch.int64) for _ in range(i.dim())]
                else:
                    indices.append(i)
            return op(args[0], indices)
        if op is aten.repeat_interleave.Tensor:
            known = _known.of(args[0])
            if known is None:
                self.note("how often each element is repeated is not known without a GPU; taken as once")
            return args[0].new_empty((args[0].numel() if known is None else _plainly(lambda: known.sum().item()),))
        if op in SORTS_OUT:
            known = _known.of(args[0])
            if known is not None and not _has_tensor(args[1:]):
                found = _plainly(op, known, *args[1:], **kwargs)
                return args[0].new_empty(found.shape, dtype=found.dtype) if isinstance(found, torch.Tensor) else tuple(
                    args[0].new_empty(f.shape, dtype=f.dtype) for f in found)
            self.note("how many different values there are is not known without a GPU; taken as all, or as the least length of bincount, each equally often")
            whole = lambda: args[0].new_empty((args[0].numel(),), dtype=torch.int64)
            if op is aten.bincount.default:                    # with a least length it is mostly that of the classes there are
                least = max(kwargs.get("minlength", args[2] if len(args) > 2 else 0), _below(args[0]) or 0)
                counts = args[0].new_empty((least or args[0].numel(),), dtype=torch.int64 if len(args) < 2 or args[1] is None else args[1].dtype)
                if least and not counts.dtype.is_floating_point:
                    counts._vramlab_value = _shared_out(args[0].numel(), least)
                return counts
            different = min(args[0].numel(), _kinds(args[0]) or _below(args[0]) or args[0].numel()) if op is aten._unique2.default else args[0].numel()
            found = args[0].new_empty(args[0].shape if op in (aten.unique_dim.default, aten.unique_dim_consecutive.default) else (different,))
            if op is aten._unique2.default and different:
                found._vramlab_each = different
            return found, whole(), whole()[:different].clone()
        raise TraceError(f"{op} has a result whose size depends on data, at {self.text(self.stack())}")

    def as_a_loop_goes(self, kind, told=None):
        """What an unknown value is taken to be where a loop may end by it; None where it is not, or not yet. told: a truth value that something else tells."""
        if self.loops is None:
            return None
        program = [f for f in _frames(60) if not f.f_code.co_filename.startswith((*self.hidden, "<"))]
        value, rounds = self.loops.answer(program, kind, told)
        if rounds is not None:
            self.note(f"how often a loop goes round is not known without a GPU; taken as {rounds} times")
        elif value is not None:
            self.note(f"the value of a tensor is not known without a GPU; taken as {value}")
        return value

    def lengths(self, tensor, most):
        if not isinstance(tensor, torch.Tensor):
            return list(tensor)
        known = _known.of(tensor)
        if known is not None:
            return _plainly(plain_tolist, known)
        self.note(f"lengths of sequences are not known without a GPU; taken as {most}")
        return [most] * tensor.numel()

    def counted(self, mask):
        """How many elements of a mask are set, and how that was taken; None for how where it is known."""
        known = _known.of(mask)
        if known is not None:
            return _plainly(lambda: torch.count_nonzero(known).item()), None
        count, how = self.hinted(mask)
        left = self.zeros.left(mask) if self.zeros is not None and (count is None or mask.dtype not in MASKS) else None
        if left is not None:
            return left[0], "taken as many as are left where zeros were written or multiplied in"
        return (mask.numel(), "taken as all") if count is None else (count, how)

    def hinted(self, mask):
        """The same, of a mask whose values are not known, by how it was made; None for both where that does not tell."""
        if getattr(mask, "_vramlab_written", None) is not None:
            return min(mask._vramlab_written, mask.numel()), "taken as all the places that were written into it, each once"
        part = _part_of(mask)
        if part is not None:
            return round(part * mask.numel()), "taken as many as of numbers that are drawn as these are"
        beyond = getattr(mask, "_vramlab_beyond", None)
        if beyond is not None:
            return beyond, "taken as many as lie on that side of a value of that rank"
        share = getattr(mask, "_vramlab_share", None)
        if share is not None:
            return share, SHARED_OUT
        if getattr(mask, "_vramlab_none", False):
            return 0, "of several classes all are taken to be of the first"
        return None, None

    def chosen(self, mask, what):
        count, how = self.counted(mask)
        if how is not None:
            self.note(f"{what} is not known without a GPU; {how}")
            of = getattr(mask, "_vramlab_class", None)
            if how is SHARED_OUT and of is not None and count >= (TELLS_APART - 2) * of[1]:
                self.line("g", *of)
        return count

    def sum_up(self, op, args, result):
        """Sums of masks, and of classes that were written as ones, go by what the masks are taken to select."""
        if op in SUMS and (args[0].dtype == torch.bool or hasattr(args[0], "_vramlab_part")) and _known.of(args[0]) is None:
            result._vramlab_about = self.counted(args[0])[0]
        elif op in SUMS and hasattr(args[0], "_vramlab_about"):
            result._vramlab_about = args[0]._vramlab_about
        elif op in (*SUMS, aten.mean.default) and self.zeros is not None and self.zeros.ones(args[0]) is not None and _known.of(args[0]) is None:
            result._vramlab_about = self.zeros.ones(args[0]) / (max(args[0].numel(), 1) if op is aten.mean.default else 1)
        elif op is aten.count_nonzero.default and self.zeros is not None and self.zeros.left(args[0]) is not None and _known.of(args[0]) is None:
            result._vramlab_about = self.zeros.left(args[0])[0]
        elif op is aten._to_copy.default and result.dtype != torch.bool and result.dim() and args[0].dtype == torch.bool and _known.of(args[0]) is None:
            result._vramlab_about = self.counted(args[0])[0]
        elif op in COMPARES and hasattr(args[0], "_vramlab_about") and result.dim() == 0:
            result._vramlab_true = COMPARES[op](args[0]._vramlab_about, args[1])
        elif op in (aten.scatter.value, aten.scatter_.value) and args[3] == 1 and hasattr(args[2], "_vramlab_classes") and not _holds_more_than_zeros(args[0]):
            result._vramlab_ones = args[2].numel()
        elif op in (aten._to_copy.default, aten.clone.default, aten.sum.dim_IntList) and hasattr(args[0], "_vramlab_ones"):
            if op is not aten.sum.dim_IntList:
                result._vramlab_ones = args[0]._vramlab_ones
            elif args[1] and result.dim() and (args[0].dim() - 1) not in [d % args[0].dim() for d in args[1]]:    # those of all classes stay apart
                result._vramlab_ones = args[0]._vramlab_ones
                if result.dim() == 1 and not result.dtype.is_floating_point:
                    self.note("how often each class is met is not known without a GPU; taken as equally often")
                    result._vramlab_value = _shared_out(result._vramlab_ones, result.numel(), result.dtype)

    def expect(self, op, args, result):
        """What programs ask of all elements, or negate, is what they expect."""
        if isinstance(result, FakeTensor) and result.dtype == torch.bool and (op in TRUE_OF_ALL or result.dim() == 0 and op in TRUE_OF_ONE):
            result._vramlab_true = True
        if _is_finite(op, args):
            result._vramlab_true = True
        if op is aten.sum.default and args[0].dtype == torch.bool:
            result._vramlab_all = args[0].numel()
        if op is aten.eq.Scalar and result.dim() and not args[0].dtype.is_floating_point:    # classes of one tensor are together all that it has
            first = args[0].__dict__.setdefault("_vramlab_class", args[1])
            result._vramlab_none = first != args[1]

    def as_if_found(self, op, args, result):
        """LBFGS goes down with each iteration, and its line search ends with the first step."""
        if op is aten.gt.Scalar and args[1] < 0:               # the slope
            result._vramlab_true = False
        elif op is aten.lt.Scalar and args[1] == 1:            # the first step's length, by the gradient's
            result._vramlab_true = True
        elif op is aten.le.Tensor and result.dim() == 0:       # the second condition of Wolfe
            result._vramlab_true = True
