"""What every other module stands on: PyTorch's operations, the recorder's own files, its error, and questions about arguments.

`_plainly` is the way from fake tensors to ones that hold values, and back: what the recorder computes itself is computed inside of it, so that it is neither
recorded nor faked. Frames of the recorder and of PyTorch are told from the program's by where their files lie, so both folders are named here.
"""
import functools, importlib, os, sys

import torch
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensor

aten = torch.ops.aten
TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))    # where vramlab_trace.py lies
OURS = (os.path.join(FOLDER, "vramlab_trace.py"), os.path.join(FOLDER, "vramlab_recorder") + os.sep)    # how the recorder's own files begin
plain_tolist = torch.Tensor.tolist


class TraceError(RuntimeError):
    """Something this recorder cannot follow; the text names the line of the program."""


@functools.cache
def _wraps(kind):
    """Whether tensors of that class hold others, as jagged and distributed ones do."""
    return kind is not FakeTensor and hasattr(kind, "__tensor_flatten__") and hasattr(kind, "__tensor_unflatten__")


WRAPPERS = tuple(os.path.join(*path) for path in (("nested", "_internal", "ops.py"), ("distributed", "tensor", "_dispatch.py")))


def _inside_of_a_wrapper():
    return any(frame.f_code.co_filename.endswith(WRAPPERS) for frame in _frames(20))


def _plainly(function, *args, **kwargs):
    """Calls with tensors that hold values."""
    with fake_tensor.unset_fake_temporarily(), torch.no_grad():
        return function(*args, **kwargs)


def _has_tensor(values):
    return any(isinstance(v, torch.Tensor) or isinstance(v, (list, tuple)) and _has_tensor(v) for v in values)


def _on_device(values):
    for v in values:
        if isinstance(v, torch.Tensor) and v.device.type == "cuda" or isinstance(v, (list, tuple)) and _on_device(v):
            return True
    return False


def _frames(count):
    frame = sys._getframe(1)
    while frame is not None and count:
        yield frame
        frame, count = frame.f_back, count - 1


_plain_data = torch.Tensor.data


def _take(tensor, data):
    if data is tensor:
        return
    _plain_data.__set__(tensor, data.detach())
    if isinstance(tensor, FakeTensor) and isinstance(data, FakeTensor):
        tensor.fake_device, tensor.constant = data.fake_device, None
        tensor._vramlab_value = getattr(data, "_vramlab_value", None)


def _beside(name):
    """A module that lies beside vramlab_trace.py, if it does."""
    sys.path.append(FOLDER)
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
    finally:
        sys.path.pop()
