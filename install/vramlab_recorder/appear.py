"""Lets a GPU appear: torch.cuda answers as on a machine that has it, and what programs do to its memory is marked in the file."""
import functools

import torch
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensorMode

from .generators import _Generator
from .gpus import _device_properties
from .known import MOST_KNOWN, _Drawing
from .legacy import _old_types
from .modules import _lazy
from .streams import _streams


def _fraction(fraction):
    """It, if PyTorch takes it (torch/cuda/memory.py)."""
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if fraction < 0 or fraction > 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    return fraction


def _appear(follow, device, p):
    """Lets CUDA look as it does on a machine with that device, and follows what programs do to its memory."""
    cuda, properties = torch.cuda, _device_properties(device)
    nothing = lambda *args, **kwargs: None
    seeded, unseeded = (lambda seed: _Drawing.put(None, _Drawing.seeded(int(seed)))), lambda: _Drawing.put(None, None)
    unseeded()
    for name, value in {
        "is_available": lambda: True, "device_count": lambda: 1, "current_device": lambda: 0, "is_initialized": lambda: True,
        "get_device_name": lambda *a, **k: properties.name, "get_device_capability": lambda *a, **k: (properties.major, properties.minor),
        "get_device_properties": lambda *a, **k: properties, "is_bf16_supported": lambda *a, **k: properties.major >= 8,
        "init": nothing, "_lazy_init": nothing, "set_device": nothing, "manual_seed": seeded, "manual_seed_all": seeded,
        "seed": unseeded, "seed_all": unseeded, "ipc_collect": nothing, "initial_seed": lambda: 0 if _Drawing.default is None else _Drawing.default.seed,
        "get_rng_state": lambda *a, **k: _Drawing.state(), "set_rng_state": lambda state, *a, **k: _Drawing.take_up(state),
        "get_rng_state_all": lambda: [_Drawing.state()], "set_rng_state_all": lambda states: _Drawing.take_up(states[0]),
        "_exchange_device": lambda d: 0, "_maybe_exchange_device": lambda d: 0,
        "is_current_stream_capturing": lambda: False, **_streams(follow), "get_arch_list": lambda: ["sm_%d%d" % device[1]],
        "memory_allocated": lambda *a, **k: follow.live, "max_memory_allocated": lambda *a, **k: follow.recent,
        "memory_reserved": lambda *a, **k: follow.live, "max_memory_reserved": lambda *a, **k: follow.recent,
        "mem_get_info": lambda *a, **k: (properties.total_memory - follow.live, properties.total_memory),
        "memory_summary": lambda *a, **k: "", "memory_stats": lambda *a, **k: _Counts(follow),
        "empty_cache": lambda: follow.mark("empty_cache"),
        "reset_peak_memory_stats": lambda *a, **k: follow.reset_peak(), "reset_max_memory_allocated": lambda *a, **k: follow.reset_peak(),
        "reset_accumulated_memory_stats": nothing,
        "set_per_process_memory_fraction": lambda fraction, device=None: follow.mark("memory_fraction", _fraction(fraction)),
    }.items():
        p.set(cuda, name, value)
    for name in ("empty_cache", "reset_peak_memory_stats", "memory_allocated", "max_memory_allocated", "memory_reserved",
                 "max_memory_reserved", "memory_stats", "memory_summary", "mem_get_info"):
        p.set(cuda.memory, name, getattr(cuda, name))
    for name in ("get_rng_state", "get_rng_state_all", "set_rng_state", "set_rng_state_all", "manual_seed", "manual_seed_all", "seed", "seed_all", "initial_seed"):
        p.set(cuda.random, name, getattr(cuda, name))          # where Trainer looks for them as it saves
    for name in ("CUDAGraph", "graph", "graph_pool_handle"):    # where make_graphed_callables looks for them
        p.set(cuda.graphs, name, getattr(cuda, name))
    p.set(torch, "set_autocast_enabled", functools.partial(_autocast, follow))
    p.set(torch._C, "_cuda_clearCublasWorkspaces", lambda: follow.mark("clear_cublas"))    # as Lightning does where a run ends
    p.set(cuda.memory, "_record_memory_history", nothing)
    p.set(cuda.memory, "_dump_snapshot", nothing)
    p.set(torch, "Generator", _Generator)
    p.set(torch.accelerator, "is_available", lambda: True)
    p.set(torch.accelerator, "device_count", lambda: 1)
    p.set(torch.accelerator, "synchronize", cuda.synchronize)
    p.set(torch._C, "_get_accelerator", lambda *check: torch.device("cuda"))
    p.set(torch._C, "_accelerator_getAccelerator", torch._C._get_accelerator)
    p.set(torch, "Stream", cuda.Stream)
    p.set(cuda.streams, "Stream", cuda.Stream)
    p.set(cuda.streams, "Event", cuda.Event)
    p.set(fake_tensor, "init_gpu_context", nothing)
    p.set(fake_tensor, "CONSTANT_NUMEL_LIMIT", MOST_KNOWN)
    aliases = fake_tensor.FakeTensorConverter.invalidate_constant_aliases
    p.set(fake_tensor.FakeTensorConverter, "invalidate_constant_aliases", lambda self, t: aliases(self, t) if t.layout == torch.strided else None)
    p.set(FakeTensorMode, "avoid_device_init", property(lambda mode: True))
    _old_types(p)
    _lazy(p)
    p.set(torch.backends.cudnn, "is_available", lambda: True)
    p.set(torch.backends.cudnn, "version", lambda: 91900)


class _Counts(dict):
    def __init__(self, follow):
        super().__init__({"allocated_bytes.all.current": follow.live, "allocated_bytes.all.peak": follow.recent,
                          "reserved_bytes.all.current": follow.live, "reserved_bytes.all.peak": follow.recent})

    def __missing__(self, key):
        return 0


def _autocast(follow, *device_and_whether):
    follow.set_autocast(*device_and_whether)
    if device_and_whether[0] in ("cuda", True, False):         # older programs name no device
        follow.casts = device_and_whether[-1]
