"""Which kernel scaled_dot_product_attention takes on that GPU, since each keeps something else for backward.

`choose_attention` is select_sdp_backend of PyTorch 2.11 (aten/src/ATen/native/transformers/cuda/sdp_utils.cpp). Jagged tensors, values and offsets that are
tensors of their own (torch/nested/_internal), come to the same kernels.
"""
import itertools, os

import torch

from .common import aten, _wraps


def choose_attention(q, k, v, mask, dropout, causal, gqa, capability):
    """cudnn, flash, efficient or math, as a CUDA device of that compute capability decides."""
    half = q.dtype in (torch.float16, torch.bfloat16) if capability[0] >= 8 else q.dtype == torch.float16
    same = q.dtype == k.dtype == v.dtype
    dense = q.dim() == k.dim() == v.dim() == 4
    d, dv = q.shape[-1], v.shape[-1]
    grad = torch.is_grad_enabled() and (q.requires_grad or k.requires_grad or v.requires_grad)
    mask_grad = mask is not None and mask.requires_grad

    def unit_strides(ignore_single):
        return all(t.stride(-1) == 1 or (ignore_single and t.shape[-1] == 1) for t in (q, k, v)) \
            and (mask is None or mask.stride(-1) == 1)

    def heads(grouped, equal_kv):
        if not (q.shape[0] == k.shape[0] == v.shape[0]):
            return False
        hq, hk, hv = q.shape[-3], k.shape[-3], v.shape[-3]
        if gqa:
            return grouped and (not equal_kv or hk == hv) and hq % hk == 0 and hq % hv == 0
        return hq == hk == hv

    lengths = all(t.shape[-2] > 0 for t in (q, k, v)) if dense else False

    def cudnn():
        limit = 256 if capability == (9, 0) else 128
        return torch.backends.cuda.cudnn_sdp_enabled() and dense and same and half and capability >= (8, 0) and lengths \
            and unit_strides(True) and heads(True, False) and d <= limit and dv <= limit and d % 8 == 0 and dv % 8 == 0 \
            and k.shape[2] != 1 and not (q.shape[2] == 1 and dropout) and not mask_grad \
            and not (torch.are_deterministic_algorithms_enabled())

    def flash():
        small = capability[0] == 8 and capability[1] in (6, 7, 9) or capability[0] == 12
        return torch.backends.cuda.flash_sdp_enabled() and dense and same and half and mask is None and capability >= (8, 0) \
            and d == k.shape[-1] == dv and d <= 256 and not (grad and small and (192 < d <= 224 or d > 224 and dropout)) \
            and not (causal and q.shape[-2] != k.shape[-2]) and heads(True, True) and lengths and unit_strides(True)

    def efficient():
        is_half = q.dtype in (torch.float16, torch.bfloat16)
        align = max(4, 8 if is_half else 4) if capability[0] >= 8 else 8 if is_half and capability[0] == 7 else 1
        fits = q.dtype in (torch.float16, torch.float32) or q.dtype == torch.bfloat16 and capability[0] >= 8
        return torch.backends.cuda.mem_efficient_sdp_enabled() and dense and same and fits and lengths and unit_strides(False) \
            and heads(False, False) and d == k.shape[-1] and d % align == 0 and dv % align == 0

    order = ["flash", "efficient", "math"]
    if capability[0] in (9, 10) and os.environ.get("TORCH_CUDNN_SDPA_DEPRIORITIZED") != "1":
        order = ["cudnn"] + order
    able = {"cudnn": cudnn, "flash": flash, "efficient": efficient, "math": lambda: torch.backends.cuda.math_sdp_enabled()}
    for name in order:
        if able[name]():
            return name
    raise RuntimeError("No available kernel. Aborting execution.")


def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False,
               *, _plain, _capability, _follow):
    if query.device.type != "cuda" or _wraps(type(query)):
        return _plain(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    if torch.is_autocast_enabled("cuda"):                      # one of autocast's lower_precision_fp operations
        dtype = torch.get_autocast_dtype("cuda")
        cast = lambda t: t.to(dtype) if t is not None and t.dtype.is_floating_point and t.dtype != torch.float64 else t
        attn_mask, value, key, query = cast(attn_mask), cast(value), cast(key), cast(query)    # as g++ evaluates them: the last first
    with torch.autocast("cuda", enabled=False):
        name = choose_attention(query, key, value, attn_mask, dropout_p, is_causal, enable_gqa, _capability)
        mask = attn_mask
        if mask is not None and mask.dtype == torch.bool:
            minus = torch.scalar_tensor(float("-inf"), dtype=query.dtype, device=query.device)
            zero = torch.scalar_tensor(0.0, dtype=query.dtype, device=query.device)
            mask = torch.where(mask, zero, minus)
            del minus, zero
        lse = torch.is_grad_enabled() and any(t.requires_grad for t in (query, key, value))
        if name == "cudnn":
            return aten._scaled_dot_product_cudnn_attention(query, key, value, mask, lse, dropout_p, is_causal, False,
                                                            scale=scale)[0]
        if name == "flash":
            size = query.shape[-1]
            pad = lambda t: t if size % 8 == 0 else torch.nn.functional.pad(t, (0, 8 - size % 8))
            scale = size ** -0.5 if scale is None else scale
            out = aten._scaled_dot_product_flash_attention(pad(query), pad(key), pad(value), dropout_p, is_causal, False,
                                                           scale=scale)[0]
            return out if size % 8 == 0 else out[..., :size]
        if name == "efficient":
            if mask is not None:
                last = mask.shape[-1]
                if mask.stride(-1) != 1 or any(n % 8 for n in mask.stride()[:-1]):
                    mask = torch.nn.functional.pad(mask, (0, 8 - last % 8))[..., :last]
                mask = mask.expand(query.shape[0], query.shape[1], query.shape[2], key.shape[2])
            return aten._scaled_dot_product_efficient_attention(query, key, value, mask, lse, dropout_p, is_causal,
                                                                scale=scale)[0]
        with _follow.adding_in_place():                        # a mask too is added in place, but never to tensor subclasses
            return aten._scaled_dot_product_attention_math(query, key, value, mask, dropout_p, is_causal, None, scale=scale,
                                                           enable_gqa=enable_gqa)[0]


_ragged_sizes = []


def _ragged_size(tensor, *, coeff=1):
    """The symbol that stands for the lengths that a tensor of offsets tells: each has its own."""
    if not _ragged_sizes:
        from torch.utils.weak import WeakTensorKeyDictionary
        _ragged_sizes.extend([WeakTensorKeyDictionary(), itertools.count()])
    known, numbers = _ragged_sizes
    if tensor not in known:
        known[tensor] = torch._C._get_nested_int(next(numbers), coeff)
    return known[tensor]


def _jagged(device, p):
    from torch.nested._internal import nested_tensor, sdpa
    p.set(nested_tensor, "get_tensor_symint", _ragged_size)

    def flash(params, debug=False):
        q, k, v = params.query, params.key, params.value
        half = q.dtype in (torch.float16, torch.bfloat16)
        return torch.backends.cuda.flash_sdp_enabled() and half and q.dtype == k.dtype == v.dtype and params.attn_mask is None and device[1] >= (8, 0) \
            and q.shape[-1] == k.shape[-1] == v.shape[-1] <= 256

    def efficient(params, debug=False):
        q, k, v = params.query, params.key, params.value
        step = 8 if q.dtype in (torch.float16, torch.bfloat16) else 4
        return torch.backends.cuda.mem_efficient_sdp_enabled() and q.dtype == k.dtype == v.dtype != torch.float64 and q.shape[-1] % step == 0 == v.shape[-1] % step

    p.set(sdpa, "can_use_flash_attention", flash)
    p.set(sdpa, "can_use_efficient_attention", efficient)
    p.set(sdpa, "can_use_cudnn_attention", lambda params, debug=False: False)    # it comes last, after the one that always can
