"""torch.cuda.FloatTensor and its like: types that name their device, as programs had them before there were devices and dtypes."""
import torch


class _OldType(type):
    """torch.cuda.FloatTensor and its like: which tensors are of it, and tensors made by calling it (torch/csrc/utils/tensor_new.cpp, legacy_tensor_ctor)."""

    def __instancecheck__(cls, t):
        return isinstance(t, torch.Tensor) and t.device.type == "cuda" and t.dtype == cls.dtype and t.layout == torch.strided

    def __call__(cls, *given, device=None):
        if all(isinstance(n, int) for n in given):
            return torch.empty(given, dtype=cls.dtype, device="cuda") if given else torch.empty(0, dtype=cls.dtype, device="cuda")
        data = given[0]
        if isinstance(data, torch.Size):
            return torch.empty(data, dtype=cls.dtype, device="cuda")
        if isinstance(data, torch.Tensor):
            if not isinstance(data, cls):
                raise TypeError(f"expected {cls.__name__} (got {data.type()})")
            return data.detach()
        return torch.tensor(data, dtype=cls.dtype, device="cuda")


OLD_NAMES = {torch.float32: "Float", torch.float64: "Double", torch.float16: "Half", torch.bfloat16: "BFloat16", torch.int64: "Long", torch.int32: "Int",
             torch.int16: "Short", torch.int8: "Char", torch.uint8: "Byte", torch.bool: "Bool"}


def _old_types(p):
    """Types of tensors by names that name their device, as programs had them before there were devices and dtypes."""
    types = {}
    for dtype, name in OLD_NAMES.items():
        kind = _OldType(f"torch.cuda.{name}Tensor", (), {"dtype": dtype, "is_cuda": True, "is_sparse": False, "layout": torch.strided})
        types[kind.__name__] = kind
        p.set(torch.cuda, name + "Tensor", kind)
    plain_type, plain_default = torch.Tensor.type, torch.set_default_tensor_type

    def type_of(t, wanted=None, non_blocking=False, **kwargs):
        wanted = types.get(wanted, wanted) if isinstance(wanted, str) else wanted
        if wanted is None and t.device.type == "cuda" and t.dtype in OLD_NAMES and t.layout == torch.strided:
            return f"torch.cuda.{OLD_NAMES[t.dtype]}Tensor"
        if isinstance(wanted, _OldType):
            return t.to(device=t.device if t.device.type == "cuda" else "cuda", dtype=wanted.dtype, non_blocking=non_blocking)
        return plain_type(t) if wanted is None else plain_type(t, wanted, non_blocking, **kwargs)

    def set_default(wanted):
        wanted = types.get(wanted, wanted) if isinstance(wanted, str) else wanted
        if isinstance(wanted, _OldType):
            dtype = torch.get_default_dtype()
            p.at_the_end(lambda: (torch.set_default_dtype(dtype), torch.set_default_device(None)))
            torch.set_default_dtype(wanted.dtype)
            torch.set_default_device("cuda")
            plain_new = torch.Tensor.__new__
            p.set(torch.Tensor, "__new__", staticmethod(lambda cls, *a, **k: plain_new(cls, *a, **k) if k or cls is not torch.Tensor else wanted(*a)))
        else:
            torch.set_default_device(None)
            plain_default(wanted)

    p.set(torch.Tensor, "type", type_of)
    p.set(torch, "set_default_tensor_type", set_default)
