"""torch.export looks at a model with tensors of its own that hold nothing. torch.compile: followed by vramlab_compile.py, where it lies beside and Triton is at hand; else the program's eager form is recorded."""
import functools

import torch

from .attention import _attention
from .common import aten, _beside


def _eager(follow, model):
    follow.note("torch.compile is left out: this is the program's eager form. The compiled one keeps other tensors for backward, mostly fewer: a GPT of "
                "six layers took 19 % less on an H200")
    follow.mark("eager_form")
    if isinstance(model, torch.nn.Module):
        object.__setattr__(model, "_orig_mod", model)
    return model


def _export(follow, p):
    """What torch.export traces with are fake tensors on a GPU as well: none of it is memory, and parameters stay those of the model."""
    def unseen(plain):
        @functools.wraps(plain)
        def call(*args, **kwargs):
            with follow.unseen():
                return plain(*args, **kwargs)
        return call

    p.set(torch.export, "export", unseen(torch.export.export))


def _compile(follow, gpu, p):
    """torch.compile, where vramlab_compile.py lies beside vramlab_trace.py and Triton is at hand."""
    compiler = _beside("vramlab_compile")
    if compiler is None or not compiler.can_follow():
        p.set(torch, "compile", lambda model=None, **k: _eager(follow, model) if model is not None else lambda m: _eager(follow, m))
        return
    plain = aten.scaled_dot_product_attention.default

    def attention(q, k, v, mask=None, dropout=0.0, causal=False, *, scale=None, enable_gqa=False):
        if q.device.type != "cuda":
            return plain._op_dk(torch._C.DispatchKey.CompositeImplicitAutograd, q, k, v, mask, dropout, causal, scale=scale, enable_gqa=enable_gqa)
        return _attention(q, k, v, mask, dropout, causal, scale, enable_gqa, _plain=None, _capability=gpu[1], _follow=follow)

    compiler.Compiler(follow, gpu, p, attention).install()
