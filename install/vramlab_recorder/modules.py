"""Modules, and what storages they hold: moved, converted, copied, resized, and told apart by addresses.

For plain tensors `model.to("cuda")` keeps each parameter the same object and swaps its data; fake tensors would be replaced. Parameters that wait for their
shape (nn.LazyLinear) are plain ones until then.
"""
import copy, sys

import torch
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensor

from .common import _plain_data, _plainly, _take
from .known import _known
from .recurrent import _flatten


def _lazy(p):
    """Parameters that wait for their shape: plain ones until then, afterwards those of their module."""
    from torch.nn import parameter as parameters
    for kind in (parameters.UninitializedParameter, parameters.UninitializedBuffer):
        def made(cls, *args, device=None, dtype=None, plain=kind.__new__, **kwargs):
            with fake_tensor.unset_fake_temporarily():
                waiting = plain(cls, *args, device="cpu", dtype=dtype, **kwargs)
            waiting._vramlab_device = torch.get_default_device() if device is None else torch.device(device)
            waiting._vramlab_dtype = waiting.dtype
            return waiting

        p.set(kind, "__new__", staticmethod(made))

    def materialize(waiting, shape, device=None, dtype=None):
        module = sys._getframe(1).f_locals["self"]
        laid = torch.empty(shape, device=waiting._vramlab_device if device is None else device, dtype=waiting._vramlab_dtype if dtype is None else dtype)
        for held in (module._parameters, module._buffers):
            for name, each in list(held.items()):
                if each is waiting:
                    held[name] = torch.nn.Parameter(laid, waiting.requires_grad) if held is module._parameters else laid

    p.set(parameters.UninitializedTensorMixin, "materialize", materialize)


def _become(tensor, other):
    """As torch.utils.swap_tensors, which refuses what somebody holds weakly, as fake tensors do what they stand for."""
    tensor.__class__, other.__class__ = other.__class__, tensor.__class__
    tensor.__dict__, other.__dict__ = other.__dict__, tensor.__dict__
    torch._C._swap_tensor_impl(tensor, other)


def _wait(waiting, fn):
    """One that waits for its shape is moved or converted."""
    applied = fn(torch.empty(0, device=waiting._vramlab_device, dtype=waiting._vramlab_dtype))
    waiting._vramlab_device, waiting._vramlab_dtype = applied.device, applied.dtype


def _apply(self, fn, recurse=True):
    """Module._apply as it is for plain tensors: the parameter stays the same object and takes the converted data."""
    if recurse:
        for module in self.children():
            module._apply(fn)
    for key, param in list(self._parameters.items()):
        if hasattr(param, "_vramlab_device"):                  # one that waits for its shape
            _wait(param, fn)
        elif param is not None:
            with torch.no_grad():
                applied = fn(param)
            if isinstance(applied, FakeTensor) and not isinstance(param, FakeTensor):    # made before the recording began
                _become(param, torch.nn.Parameter(applied, param.requires_grad))
                continue
            if (applied.device.type == "meta") != (param.device.type == "meta"):    # which cannot be told to lie elsewhere
                self._parameters[key] = torch.nn.Parameter(applied, param.requires_grad)
                continue
            _take(param, applied)
            if param.grad is not None:
                with torch.no_grad():
                    applied = fn(param.grad)
                _take(param.grad, applied)
    for key, buffer in self._buffers.items():
        if hasattr(buffer, "_vramlab_device"):
            _wait(buffer, fn)
        elif buffer is not None:
            self._buffers[key] = fn(buffer)
    return self


def _copied(tensor, memo):
    """copy.deepcopy as plain tensors and parameters have it; fake ones would copy their whole mode."""
    if id(tensor) in memo:
        return memo[id(tensor)]
    if not tensor.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.")
    if isinstance(tensor, torch.nn.Parameter):
        copy = torch.nn.Parameter(tensor.detach().clone(memory_format=torch.preserve_format), tensor.requires_grad)
    else:
        with torch.no_grad():
            key = ("storage", tensor.untyped_storage()._cdata)
            if key not in memo:                                # the whole storage, then for each of its tensors an empty one that takes it
                memo[key] = torch.empty(tensor.untyped_storage().nbytes(), dtype=torch.uint8, device=tensor.device)
            tensor.new_empty([])
            copy = memo[key].view(tensor.dtype).as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
        copy._vramlab_value = _known.of(tensor)
        copy.requires_grad_(tensor.requires_grad)
        if tensor.grad is not None:
            copy.grad = _copied(tensor.grad, memo)
    memo[id(tensor)] = copy
    return copy


def _hold(follow, p):
    """Modules, and what storages they hold."""
    module = torch.nn.Module
    p.set(module, "_apply", _apply)
    p.set(torch.Tensor, "data", property(lambda t: _plain_data.__get__(t), lambda t, d: _take(t, d)))
    call = module.__call__

    def called(self, *args, **kwargs):
        with follow.inside(self):
            return call(self, *args, **kwargs)

    p.set(module, "__call__", called)
    plain_copy, plain_parameter_copy = torch.Tensor.__deepcopy__, torch.nn.Parameter.__deepcopy__
    p.set(torch.Tensor, "__deepcopy__", lambda t, memo: _copied(t, memo) if isinstance(t, FakeTensor) else _plainly(plain_copy, t, memo))
    p.set(torch.nn.Parameter, "__deepcopy__", lambda t, memo: _copied(t, memo) if isinstance(t, FakeTensor) else _plainly(plain_parameter_copy, t, memo))
    plain_resize = torch.UntypedStorage.resize_

    def resize(storage, size):
        plain_resize(storage, size)
        follow.resized(storage)
        return storage

    p.set(torch.UntypedStorage, "resize_", resize)
    plain_address, plain_place = torch.UntypedStorage.data_ptr, torch.Tensor.data_ptr
    address = lambda s: plain_address(s) if s.device.type != "meta" else s._cdata * 512 if s.nbytes() else 0    # by which programs tell tensors apart
    p.set(torch.UntypedStorage, "data_ptr", address)
    p.set(torch.Tensor, "data_ptr", lambda t: address(t.untyped_storage()) + t.storage_offset() * t.element_size() if isinstance(t, FakeTensor) and t.numel() else plain_place(t))
    p.set(torch.Tensor, "pin_memory", lambda t, *a: t)
    p.set(torch.Tensor, "is_pinned", lambda t, *a: False)
    p.set(torch.Tensor, "record_stream", lambda t, s: follow.used(t, s.stream_id))
    p.set(torch.nn.RNNBase, "flatten_parameters", _flatten)
