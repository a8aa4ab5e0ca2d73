"""Kernels that a program writes in Triton: they take nothing from the allocator, but for the trials of those that are tuned."""
import torch

from .common import _on_device
from .libraries import _when_there

TRITON_CLEARS = 1 << 28                                        # what Triton's benchmarks write over to clear the cache (backends/nvidia/driver.py)


def _launch(follow, p):
    """Kernels that a program writes in Triton take nothing from the allocator; where several of a kind are tried, each trial clears the cache."""
    def launching(kernel):
        plain = kernel.run
        p.set(kernel, "run", lambda self, *args, grid, warmup, **named: None if _on_device((*args, *named.values())) else plain(self, *args, grid=grid, warmup=warmup, **named))
        return kernel

    def trying(tuner):
        def trial(self, *args, config, **named):
            torch.empty(TRITON_CLEARS // 4, dtype=torch.int, device="cuda")
            return [1.0, 1.0, 1.0]

        p.set(tuner, "_bench", trial)
        return tuner

    _when_there(p, "triton.runtime.jit", "JITFunction", launching)
    _when_there(p, "triton.runtime.autotuner", "Autotuner", trying)
