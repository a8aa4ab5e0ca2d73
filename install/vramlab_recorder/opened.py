"""Files of safetensors that are opened: the header tells names, types and shapes, and what is asked for has them, without values.

The library copies to addresses, which fake tensors do not have. On a GPU each tensor is one allocation, made when it is asked for; what is cut out of one is cut on the host
and then moved (safetensors 0.8, bindings/python/src/lib.rs, get_tensor_pinned_cuda and PySafeSlice.__getitem__; before 0.8 it was allocated there as bytes, which are as many).
"""
import torch

from .libraries import _when_there

OF_PYTORCH = ("pt", "torch", "pytorch")
TYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64, "I32": torch.int32, "I16": torch.int16,
         "I8": torch.int8, "U64": torch.uint64, "U32": torch.uint32, "U16": torch.uint16, "U8": torch.uint8, "BOOL": torch.bool, "C64": torch.complex64,
         "F8_E4M3": torch.float8_e4m3fn, "F8_E5M2": torch.float8_e5m2, "F8_E8M0": torch.float8_e8m0fnu}


def _opens(p, saved):
    """`saved`: of a file's name the tensors that this program saved under it, on the host, or None."""
    def replaced(plain):
        return plain if hasattr(plain, "_vramlab_plain") else type("safe_open", (_Opened,), {"_vramlab_plain": plain, "_saved": staticmethod(saved)})

    for module in ("safetensors", "safetensors.torch"):
        _when_there(p, module, "safe_open", replaced)


class _Opened:
    """What safe_open gives for PyTorch; for other libraries it is the plain one."""

    def __new__(cls, filename, framework, device="cpu", **named):
        return super().__new__(cls) if framework in OF_PYTORCH else cls._vramlab_plain(filename, framework, device, **named)

    def __init__(self, filename, framework, device="cpu", **named):
        tensors = self._saved(filename)
        self.file = _Kept(tensors) if tensors is not None else self._vramlab_plain(filename, "numpy")    # which is refused as it would be
        self.device = torch.device("cuda", device) if isinstance(device, int) else torch.device(device or "cpu")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.file.__exit__(*error)

    def keys(self):
        return self.file.keys()

    def metadata(self):
        return self.file.metadata()

    def offset_keys(self):
        return getattr(self.file, "offset_keys", self.file.keys)()

    def get_slice(self, name):
        return _Part(self.file.get_slice(name), self.device)

    def get_tensor(self, name):
        return self.get_slice(name)[...]

    def get_tensors(self):
        return {name: self.get_tensor(name) for name in self.offset_keys()}


class _Part:
    def __init__(self, told, device):
        self.told, self.device = told, device

    def get_shape(self):
        return self.told.get_shape()

    def get_dtype(self):
        return self.told.get_dtype()

    def __getitem__(self, index):
        tensor = self.told.tensor if isinstance(self.told, _Told) else torch.empty(self.get_shape(), dtype=TYPES[self.get_dtype()])
        return tensor[index].to(self.device)


class _Kept:
    """Tensors that were saved by this program, asked for as a file of them is."""

    def __init__(self, tensors):
        self.tensors = tensors

    def __exit__(self, *error):
        self.tensors = {}

    def keys(self):
        return list(self.tensors)

    def metadata(self):
        return None

    def get_slice(self, name):
        return _Told(self.tensors[name])


class _Told:
    def __init__(self, tensor):
        self.tensor = tensor

    def get_shape(self):
        return list(self.tensor.shape)

    def get_dtype(self):
        return next(name for name, dtype in TYPES.items() if dtype == self.tensor.dtype)
