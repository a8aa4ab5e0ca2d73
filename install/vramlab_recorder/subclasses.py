"""Tensors of a program's own classes, as torchvision's tv_tensors are: a fake tensor that is of that class, too, and shares the storage."""
import torch
from torch._C import DisableTorchFunctionSubclass
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._mode_utils import no_dispatch


class _AsItsKind(type(torch.Tensor)):
    """Such a class is found where the program's own is looked for: transforms are chosen by `type(x)`."""

    def __eq__(self, other):
        return self is other or other is self._vramlab_kind

    def __hash__(self):
        return hash(self._vramlab_kind)


def _subclasses(p):
    plain, both = torch.Tensor.as_subclass, {}

    def as_subclass(tensor, kind):
        if not isinstance(tensor, FakeTensor):
            return plain(tensor, kind)
        kind = getattr(kind, "_vramlab_kind", kind)
        if kind not in both:
            both[kind] = FakeTensor if kind is torch.Tensor else _AsItsKind(kind.__name__, (kind, FakeTensor), {"_vramlab_kind": kind, "__module__": kind.__module__})
        with DisableTorchFunctionSubclass():
            with no_dispatch():
                same = torch.empty(0, dtype=tensor.dtype, device="meta").set_(tensor.untyped_storage(), tensor.storage_offset(), tensor.shape, tensor.stride())
            made = FakeTensor.__new__(both[kind], tensor.fake_mode, same, tensor.fake_device, constant=tensor.constant)
        for name, value in vars(tensor).items():
            if name.startswith("_vramlab_"):
                setattr(made, name, value)
        return made

    p.set(torch.Tensor, "as_subclass", as_subclass)
