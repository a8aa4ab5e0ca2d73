"""Transformer encoders that only infer: PyTorch runs a whole layer, or a whole attention, as one native function.

Fake tensors have no such function; here it is what the CUDA source does in turn, with the same temporaries. Sequences with padding are put one after the
other first, so that padding costs nothing.
"""
import torch

from .common import _plainly
from .known import _known


def _attending(x, heads, qkv_weight, qkv_bias, out_weight, out_bias):
    """Self-attention without a mask."""
    functional, (batch, length, width) = torch.nn.functional, x.shape
    parts = functional.linear(x, qkv_weight, qkv_bias).view(batch, length, 3 * width).chunk(3, 2)
    q, k, v = (p.view(batch, length, heads, width // heads).transpose(1, 2) for p in parts)
    y = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width)
    return functional.linear(y, out_weight, out_bias)


def _attending_plainly(x, heads, qkv_weight, mask):
    """Self-attention by products of matrices, and its weights: a mask is one of bool, as large as it says; without one the softmax is in place."""
    batch, length, width = x.shape
    qkv = torch.mm(x.reshape(batch * length, width), qkv_weight.t())
    q, k, v = torch.empty((3, batch, heads, length, width // heads), dtype=x.dtype, device=x.device).unbind(0)
    del qkv
    flat = lambda part: part.reshape(batch * heads, length, width // heads)
    weights = torch.bmm(flat(q), flat(k).transpose(1, 2))
    if mask is not None:
        copied, scores = mask.to(torch.bool).contiguous(), weights
        weights = torch.empty_like(scores)
        del scores, copied
    torch.bmm(weights, flat(v), out=flat(q))
    return q, weights.view(batch, heads, length, length)


def _projected(q, out_weight, out_bias):
    batch, heads, length, size = q.shape
    turned = q.permute(0, 2, 1, 3).contiguous().view(batch * length, heads * size)
    return torch.addmm(out_bias, turned, out_weight.t()).view(batch, length, heads * size)


def _inferring_attention(plain):
    """nn.MultiheadAttention where nothing needs a gradient (native_multi_head_attention_cuda), of one dense tensor."""
    def call(query, key, value, width, heads, qkv_weight, qkv_bias, out_weight, out_bias, mask=None, need_weights=True, average=True, mask_type=None):
        if query.device.type != "cuda" or not query is key is value or query.is_nested:
            return plain(query, key, value, width, heads, qkv_weight, qkv_bias, out_weight, out_bias, mask, need_weights, average, mask_type)
        if mask is None and not need_weights and width // heads % 8 == 0:
            return _attending(query, heads, qkv_weight, qkv_bias, out_weight, out_bias), None
        q, weights = _attending_plainly(query, heads, qkv_weight, mask)
        if not need_weights:
            weights = None
        x = _projected(q, out_weight, out_bias)
        if need_weights and average:
            weights = weights.sum(1).div_(heads)
        return x, weights
    return call


def _leave_padding_out(follow, p):
    """nn.TransformerEncoder in inference puts sequences that have a mask one after the other: as one sequence of all their tokens here, which knows their lengths.

    NestedTensor_nested_tensor_from_mask_left_aligned and NestedTensor_nested_tensor_from_mask (NestedTensorMath.cpp), nested_from_padded_cuda and
    NestedTensor_to_padded_tensor_cuda (cuda/NestedTensorTransformerFunctions.cpp).
    """
    plain_check, plain_nested, plain_padded = torch._nested_tensor_from_mask_left_aligned, torch._nested_tensor_from_mask, torch.Tensor.to_padded_tensor

    def ends(mask):
        zero = mask.new_zeros((mask.shape[0], 1))
        whole = torch.cat([mask, zero], 1)
        numbers = whole.to(torch.int32)
        found = numbers.argmin(1)
        del numbers, whole
        return zero, found, mask.cumsum(1)

    def aligned(tensor, mask):
        if tensor.device.type != "cuda":
            return plain_check(tensor, mask)
        zero, found, sums = ends(mask)
        same = found == sums[:, -1]
        asked, known = same.all(), _known.of(mask)
        del asked, same, found, zero, sums
        if known is None or tensor.dtype != torch.float32:
            follow.note("nn.TransformerEncoder may leave out padding here, where lengths are not known or numbers have 16 bits: what is counted keeps it")
            return False
        lengths = _plainly(lambda: known.sum(1))
        return _plainly(lambda: bool((known == (torch.arange(known.shape[1]) < lengths[:, None])).all()))

    def nested(tensor, mask, mask_check=True):
        if tensor.device.type != "cuda" or _known.of(mask) is None:
            return plain_nested(tensor, mask, mask_check)
        lengths = _plainly(lambda: _known.of(mask).sum(1).tolist())
        zero, found, sums = ends(mask)
        width = torch.full_like(found, tensor.shape[2])
        torch.cat([found[:, None], width[:, None]], 1)         # to the host
        del sums
        out = tensor.new_empty((1, sum(lengths), tensor.shape[2]))
        _plainly(torch.empty, 3 * len(lengths) + 4, dtype=torch.int64).to("cuda", torch.int32, non_blocking=True)    # sizes, those with padding, offsets
        del width, found, zero
        out._vramlab_lengths = lengths
        return out

    def padded(tensor, padding, output_size=None):
        lengths = getattr(tensor, "_vramlab_lengths", None)
        if lengths is None:
            return plain_padded(tensor, padding, output_size)
        out = tensor.new_empty(output_size or (len(lengths), max(lengths), tensor.shape[2]))
        _plainly(torch.empty, 3 * len(lengths) + 1, dtype=torch.int32).cuda()    # offsets and sizes
        return out

    p.set(torch, "_nested_tensor_from_mask_left_aligned", aligned)
    p.set(torch, "_nested_tensor_from_mask", nested)
    p.set(torch.Tensor, "to_padded_tensor", padded)


def _attending_apart(x, lengths, qkv_weight, qkv_bias, out_weight, out_bias):
    """Self-attention of each sequence by itself, told by where each begins (sdp_utils of transformers/nested)."""
    rows = x.view(-1, x.shape[2])
    qkv = torch.addmm(qkv_bias, rows, qkv_weight.t())
    starts = [torch.empty(len(lengths) + 1, dtype=torch.int32, device=x.device) for _ in range(2)]
    y = torch.empty_like(rows)
    starts.clear()
    out = torch.addmm(out_bias, y, out_weight.t())
    del y, qkv
    return out.view(x.shape)


def _encoder_layer(plain):
    """transformer_encoder_layer_forward and native_multi_head_attention_cuda (aten/src/ATen/native/transformers), of dense tensors and of sequences without padding."""
    def call(src, width, heads, qkv_weight, qkv_bias, out_weight, out_bias, gelu, norm_first, eps, w1, b1, w2, b2, up, up_bias, down, down_bias,
             mask=None, mask_type=None):
        if src.device.type != "cuda":
            return plain(src, width, heads, qkv_weight, qkv_bias, out_weight, out_bias, gelu, norm_first, eps, w1, b1, w2, b2, up, up_bias, down,
                         down_bias, mask, mask_type)
        functional, (batch, length, _), lengths = torch.nn.functional, src.shape, getattr(src, "_vramlab_lengths", None)
        x = functional.layer_norm(src, (width,), w1, b1, eps) if norm_first else src
        if lengths is not None:
            x = _attending_apart(x, lengths, qkv_weight, qkv_bias, out_weight, out_bias)
        elif mask is None:
            x = _attending(x, heads, qkv_weight, qkv_bias, out_weight, out_bias)
        else:
            q, weights = _attending_plainly(x, heads, qkv_weight, mask)
            del weights
            x = _projected(q, out_weight, out_bias)
            del q
        x.add_(src)
        if not norm_first:
            x = functional.layer_norm(x, (width,), w1, b1, eps)
        before = x
        if norm_first:
            x = functional.layer_norm(x, (width,), w2, b2, eps)
        x = torch._addmm_activation(up_bias, x.view(-1, width), up.t(), use_gelu=gelu)
        x = torch.addmm(down_bias, x, down.t()).view(batch, length, width)
        x.add_(before)
        x = x if norm_first else functional.layer_norm(x, (width,), w2, b2, eps)
        if lengths is not None:
            x._vramlab_lengths = lengths
        return x
    return call
