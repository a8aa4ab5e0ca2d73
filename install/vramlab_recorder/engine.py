"""Autograd's engine, where there is no device: it asks CUDA for a context, and numbers nodes by thread.

Scripted functions are recorded as Python, so that each of their operations is seen.
"""
import concurrent.futures, contextlib, ctypes, os, threading

import torch
from torch._subclasses import fake_tensor

from .common import TORCH, TraceError

_kept_alive = []


def _let_backward_run():
    """Autograd's engine asks CUDA's hooks whether the device has a context; without a GPU they fail. They answer «no» here.

    The hooks are one C++ object; its table of virtual functions is replaced by a copy with one entry changed. In PyTorch 2.11
    hasPrimaryContext is entry 4: the destructor's two, isBuilt and isAvailable come before it (AcceleratorHooksInterface.h).
    """
    if torch.cuda.is_available() or _kept_alive:
        return
    libraries = os.path.join(TORCH, "lib")
    names = ["libtorch_cpu.so", "libtorch_cpu.dylib", "torch_cpu.dll"]
    path = next((os.path.join(libraries, n) for n in names if os.path.exists(os.path.join(libraries, n))), None)
    try:
        hooks = getattr(ctypes.CDLL(path), "_ZN2at6detail12getCUDAHooksEv")
    except (AttributeError, OSError, TypeError) as e:
        raise TraceError(f"backward cannot be recorded with this build of PyTorch ({torch.__version__}): {e}") from None
    hooks.restype = ctypes.c_void_p
    table = ctypes.c_void_p.from_address(hooks())
    entries, head = 96, 2
    old = (ctypes.c_void_p * (entries + head)).from_address(table.value - head * ctypes.sizeof(ctypes.c_void_p))
    new = (ctypes.c_void_p * (entries + head))(*old)
    no = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_int8)(lambda this, index: False)
    new[head + 4] = ctypes.cast(no, ctypes.c_void_p).value
    table.value = ctypes.addressof(new) + head * ctypes.sizeof(ctypes.c_void_p)
    _kept_alive.extend([no, new])
    for each in _kept_alive:                                   # also when modules are taken down: the hooks are asked until the process is gone
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(each))


def _differentiate(follow, p):
    plain_engine = torch.autograd._engine_run_backward
    p.set(torch.autograd, "_engine_run_backward", lambda *a, **k: _in_a_thread_of_its_own(follow, plain_engine, *a, **k))
    scripted = torch.jit._state._enabled
    p.set(scripted, "enabled", False)                          # scripted functions are recorded as Python, not as fused kernels
    for name in ("freeze", "optimize_for_inference"):
        p.set(torch.jit, name, lambda module, *args, **kwargs: module)
    p.set(torch.nn.Module, "save", lambda module, file, *args: torch.save(module, file))
    p.set(torch.jit, "save", lambda module, file, **kwargs: torch.save(module, file))
    p.set(torch.jit, "load", lambda file, map_location=None, **kwargs: torch.load(file, map_location, weights_only=False))
    plain_rules = torch.autograd.forward_ad._maybe_load_decompositions

    def forward_rules():                                       # forward mode has some of its own, which it scripts when it begins
        scripted.enabled = True
        try:
            with fake_tensor.unset_fake_temporarily():
                plain_rules()
        finally:
            scripted.enabled = False

    p.set(torch.autograd.forward_ad, "_maybe_load_decompositions", forward_rules)
    plain_backward = torch.autograd.backward

    def backward(*args, **kwargs):
        plain_backward(*args, **kwargs)
        follow.holders()

    p.set(torch.autograd, "backward", backward)


CREATES_GRAPH = 3                                              # among the arguments of the engine: outputs, gradients, keep_graph, create_graph, …
_thread = []


def _in_a_thread_of_its_own(follow, engine, *args, **kwargs):
    """Nodes are numbered by thread, and run in that order. On a GPU backward has a thread of its own, which shows where it makes nodes itself."""
    if not _thread:
        _thread.append(concurrent.futures.ThreadPoolExecutor(1))
        _thread.append(_thread[0].submit(threading.current_thread).result())
    if not args[CREATES_GRAPH] or threading.current_thread() is _thread[1]:
        return engine(*args, **kwargs)
    mode, enabled = follow.fake_mode, torch.is_grad_enabled()
    levels = []                                                # of vmap and grad, which each thread keeps for itself and autograd's engine hands on

    def run():
        with torch.autograd.set_multithreading_enabled(False), torch.set_grad_enabled(enabled), _levels(levels), mode, follow:
            return engine(*args, **kwargs)

    while torch._C._functorch.peek_interpreter_stack() is not None:
        levels.append(torch._C._functorch.pop_dynamic_layer_stack())
    try:
        return _thread[0].submit(run).result()
    finally:
        for level in reversed(levels):
            torch._C._functorch.push_dynamic_layer_stack(level)


@contextlib.contextmanager
def _levels(innermost_first):
    """Levels of functorch in this thread."""
    for level in reversed(innermost_first):
        torch._C._functorch.push_dynamic_layer_stack(level)
    try:
        yield
    finally:
        for _ in innermost_first:
            torch._C._functorch.pop_dynamic_layer_stack()
