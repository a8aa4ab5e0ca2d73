"""What autograd's formulas and its engine do to plain tensors and not to tensor subclasses, as fake tensors are.

They work in place where they may (areAnyTensorSubclassLike in PyTorch's sources), add gradients that meet, and go back through a view that was written to
by its base. Each of these takes other memory than the way that fake tensors are sent.
"""
import contextlib, copy

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .common import aten, _inside_of_a_wrapper

# Where autograd's formulas ask whether a tensor is a subclass (areAnyTensorSubclassLike in PyTorch's sources).
_SELECTED = {aten.scatter.src: aten.scatter_.src, aten.scatter.value: aten.scatter_.value}
IN_PLACE = {
    "GatherBackward0": {aten.scatter_add.default: aten.scatter_add_.default},
    "IndexSelectBackward0": {aten.index_add.default: aten.index_add_.default},
    "BinaryCrossEntropyWithLogitsBackward0": {aten.sub.Tensor: aten.sub_.Tensor, aten.mul.Tensor: aten.mul_.Tensor, aten.div.Tensor: aten.div_.Tensor,
                                              aten.div.Scalar: aten.div_.Scalar},
    **{name: {aten.logical_and.default: aten.logical_and_.default} for name in ("MaxBackward1", "MinBackward1", "MedianBackward0", "NanmedianBackward0")},
    "BinaryCrossEntropyBackward0": {aten.mul.Tensor: aten.mul_.Tensor},    # of the targets
    **{name: {aten.logical_and.default: aten.logical_and_.default, aten.logical_or.default: aten.logical_or_.default} for name in ("ClampBackward0", "ClampBackward1")},
    **{name: {aten.scatter_add.default: aten.scatter_add_.default} for name in ("CummaxBackward0", "CumminBackward0")},
    "Atan2Backward0": {aten.masked_fill.Scalar: aten.masked_fill_.Scalar},
    "MaskedSelectBackward0": {aten.masked_scatter.default: aten.masked_scatter_.default},
    "TakeBackward0": {aten.put.default: aten.put_.default},
    "TraceBackward0": {aten.index_fill.int_Tensor: aten.index_fill_.int_Tensor},
    **{name: _SELECTED for name in ("MaxBackward0", "MinBackward0", "MedianBackward1", "ModeBackward0", "KthvalueBackward0", "TopkBackward0",
                                    "SortBackward0", "SortBackward1")},
}
COPY_SLICES = "torch::autograd::CopySlices"
LAST_OF_A_STORAGE = 2                                          # who holds a storage: a tensor, and who asks


class _Backward:
    """Does in backward as is done with plain tensors. `self.made_in` has the node that made each storage."""

    def engine_shares(self, args, node):
        """A gradient that comes from a node on another stream is recorded on the one that takes it (InputBuffer::add)."""
        stream = self.told
        for t in args:
            if isinstance(t, FakeTensor) and t.device.type == "cuda":
                number = self.ids.get(t.untyped_storage()._cdata)
                maker = self.made_in.get(number)
                if maker is not None and maker[1] != node._sequence_nr():
                    self.mark_used(number, stream)

    def follow_rewritten(self, op, args):
        """A view that was written to is seen through its base from then on: by AsStridedBackward0 on a GPU, by views again with fake tensors."""
        mutable = op._schema.is_mutable
        for i, t in enumerate(args):
            if not isinstance(t, FakeTensor) or t.device.type != "cuda":
                continue
            if mutable and i == 0:
                if t._is_view() and torch.is_grad_enabled():
                    t._vramlab_rewritten = True
            elif getattr(t, "_vramlab_rewritten", False) and t.grad_fn is not None:
                node, views = t.grad_fn, []
                while node is not None and node.name() != COPY_SLICES and node.next_functions and len(views) < 8:
                    views.append(node._sequence_nr())
                    node = node.next_functions[0][0]
                if node is not None and views and node.name() == COPY_SLICES:
                    self.restrided.add(node._sequence_nr())
                    self.replayed.update(views)

    def lay_again(self, gradient, sizes):
        """as_strided_backward: the gradient of such a view is laid into one of its base, and goes."""
        key = gradient.untyped_storage()._cdata
        if key not in self.ids:
            return
        number, elements = self.next, 1
        self.next += 1
        for n in sizes:
            elements *= n
        self.line("o", self.number("O", "aten.new_zeros.default"), self.stack(), self.module(), 1, [], {}, None,
                  [[number, elements * gradient.element_size()]], "AsStridedBackward0")
        if self.ids[key]:
            self.line("f", self.ids[key])
        self.ids[key] = number

    def hand_over(self, gradient, copy):
        """Views that a GPU does not go back through copy nothing there: the gradient stays what it is, or a part of another."""
        key, copied = gradient.untyped_storage()._cdata, copy.untyped_storage()._cdata
        if key not in self.ids:
            return
        self.storage(copy)
        if gradient.untyped_storage().nbytes() == copy.untyped_storage().nbytes():
            self.live -= self.sizes.pop(key)
            self.ids[copied] = self.ids.pop(key)
        else:
            self.ids[copied] = 0

    def is_engine_s(self, op, first, ins, node):
        """Whether autograd's engine itself adds gradients that meet: it does so out of place only while it is recording."""
        if op is not aten.add.Tensor or torch.is_grad_enabled() or not (isinstance(ins[0], dict) and "t" in ins[0]):
            return False
        targets = [edge for edge in node.next_functions if edge[0] is not None]
        part = hasattr(first, "_vramlab_part_of_another") and torch._C._storage_Use_Count(first.untyped_storage()._cdata) > LAST_OF_A_STORAGE
        if first._is_view() or part or _inside_of_a_wrapper():     # which shares its storage, so that nothing may be written there
            return False
        here = self.made_in.get(ins[0]["t"][0]) == (*self.running, self.runs)
        return not here or len(set(targets)) < len(targets)

    @contextlib.contextmanager
    def adding_in_place(self):
        """Sums in here write into their first operand, but where a mode of the program's own is on, which PyTorch takes for a tensor subclass (TensorSubclassLikeUtils.h)."""
        alone = torch._C._len_torch_dispatch_stack() <= self.modes
        self.linear += alone
        try:
            yield
        finally:
            self.linear -= alone

    def as_the_engine_would(self, op, args, kwargs, node):
        """Formulas of autograd work in place where they may, but never with tensor subclasses, as fake tensors are."""
        name = node.name()
        if op is aten.index_put.default and name == "IndexBackward0":
            return aten._index_put_impl_.default, (*args[:3], True, True), {}
        if op in IN_PLACE.get(name, ()):
            if op is aten.mul.Tensor and not self.is_for_itself(args[0], node):
                return None                                    # the weights of the positive class times the target; minus the scores times the gradient
            return IN_PLACE[name][op], args, kwargs
        return None

    def is_for_itself(self, tensor, node):
        """Whether the node made it, and not as what is to be multiplied by the gradient: formulas write into nothing else."""
        made = self.made_in.get(self.ids.get(tensor.untyped_storage()._cdata)) if isinstance(tensor, FakeTensor) else None
        return made is not None and made[:2] == (node.name(), node._sequence_nr()) and not getattr(tensor, "_vramlab_negative", False)
