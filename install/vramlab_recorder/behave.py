"""What a program does that fake tensors do differently from tensors of a CUDA device, put in place for one recording."""
import functools

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .asked import _read
from .attention import _attention, _jagged
from .computed import VALUES_ALONE, _ctc, _values_alone
from .detection import _detect
from .encoders import _encoder_layer, _inferring_attention, _leave_padding_out
from .engine import _differentiate
from .files import _files
from .functions import _affine_grid, _cumprod, _jitted, _linear, _one_hot, _prod
from .kernels import _launch
from .loading import _load
from .modules import _hold
from .processes import _processes
from .recurrent import _packed, _padded, _recurrent
from .subclasses import _subclasses
from .weights import _weights


def _behave(follow, device, p):
    """What a program does that fake tensors do differently from tensors of a CUDA device."""
    from torch.optim import optimizer as optimizers
    _attend(follow, device, p)
    _compute(follow, device, p)
    _hold(follow, p)
    _read(follow, p)
    _differentiate(follow, p)
    _files(follow, p)
    _weights(follow, p)
    _detect(follow, p)
    _launch(follow, p)
    _processes(follow, p)
    _load(follow, p)
    _subclasses(p)
    for owner in (optimizers, torch.utils._foreach_utils):
        p.set(owner, "_foreach_supported_types", owner._foreach_supported_types + [FakeTensor])


def _attend(follow, device, p):
    functional = torch.nn.functional
    plain = functional.scaled_dot_product_attention
    p.set(functional, "scaled_dot_product_attention",
          lambda *a, **k: _attention(*a, **k, _plain=plain, _capability=device[1], _follow=follow))
    p.set(torch._C._nn, "scaled_dot_product_attention", functional.scaled_dot_product_attention)
    _jagged(device, p)
    p.set(functional, "linear", _linear(follow, functional.linear))
    p.set(torch._C._nn, "linear", functional.linear)
    p.set(torch, "_native_multi_head_attention", _inferring_attention(torch._native_multi_head_attention))
    p.set(torch, "_transformer_encoder_layer_fwd", _encoder_layer(torch._transformer_encoder_layer_fwd))
    _leave_padding_out(follow, p)


def _compute(follow, device, p):
    functional = torch.nn.functional
    p.set(functional, "one_hot", _one_hot(functional.one_hot))
    p.set(torch, "affine_grid_generator", functools.partial(_affine_grid, torch.affine_grid_generator))
    for name in VALUES_ALONE:
        p.set(torch.linalg, name, _values_alone(follow, getattr(torch.linalg, name)))
    plain_product = torch.cumprod
    p.set(torch, "cumprod", lambda t, dim, *, dtype=None, **k: _cumprod(plain_product, t, dim, dtype, k))
    p.set(torch.Tensor, "cumprod", lambda t, dim, *, dtype=None: _cumprod(plain_product, t, dim, dtype, {}))
    p.set(torch.cuda.jiterator._JittedFunction, "__call__", _jitted)
    whole_product = torch.prod
    p.set(torch, "prod", lambda t, *a, **k: _prod(whole_product, t, *a, **k))
    p.set(torch.Tensor, "prod", lambda t, *a, **k: _prod(whole_product, t, *a, **k))
    p.set(torch, "ctc_loss", _ctc(follow, torch.ctc_loss))
    for name in ("initialize_state_", "scramble_", "ff_"):     # Sobol's numbers, of the host, have values that nobody needs
        p.set(torch, "_sobol_engine_" + name, lambda state, *a, **k: state)
    p.set(torch, "_sobol_engine_draw", lambda quasi, n, state, dimension, *a, dtype=None: (torch.rand(n, dimension, dtype=dtype), quasi))
    plain_pad, plain_pack = torch._VF._pad_packed_sequence, torch._VF._pack_padded_sequence
    p.set(torch._VF, "_pack_padded_sequence", lambda data, lengths, *a: _packed(data, lengths, *a) if isinstance(data, FakeTensor)
          else plain_pack(data, lengths, *a))
    p.set(torch._VF, "_pad_packed_sequence", lambda data, sizes, *a: _padded(data, sizes, *a) if isinstance(data, FakeTensor)
          else plain_pad(data, sizes, *a))
    for mode, name in enumerate(("rnn_relu", "rnn_tanh", "lstm", "gru")):
        p.set(torch._VF, name, _recurrent(mode, getattr(torch._VF, name), follow, device))
