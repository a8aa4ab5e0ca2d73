"""Recurrent layers as cuDNN runs them: packed sequences, the weights' common buffer, its reserve, and what autocast halves."""
import torch
from torch._subclasses import fake_tensor

from .common import aten, plain_tolist, _plainly, _take, TraceError
from .known import _known

FIRST_OF_RNN = 10                                              # the argument batch_first of _cudnn_rnn
THREADS, RANDOM_STATE = 2048, 24                              # of a multiprocessor; bytes, as an H200 took them


class _Packed(torch.autograd.Function):
    """Sequences side by side laid one after the other, as at::_pack_padded_sequence does, and its gradient."""

    @staticmethod
    def forward(ctx, data, sizes):
        ctx.sizes, ctx.shape = sizes, data.shape
        steps = [data[begin:end, :size].contiguous().view(-1, *data.shape[2:]) for begin, end, size in _runs(sizes)]
        return torch.cat(steps)

    @staticmethod
    def backward(ctx, grad):
        out, offset = grad.new_zeros(ctx.shape), 0
        for begin, end, size in _runs(ctx.sizes):
            count = (end - begin) * size
            out[begin:end, :size].copy_(grad[offset:offset + count].view(end - begin, size, *ctx.shape[2:]))
            offset += count
        return out, None


def _runs(sizes):
    begin = 0
    for i in range(1, len(sizes) + 1):
        if i == len(sizes) or sizes[i] != sizes[begin]:
            yield begin, i, sizes[begin]
            begin = i


def _packed(data, lengths, first):
    known = _known.of(lengths)
    if known is None:
        raise TraceError("the lengths of sequences are not known without a GPU")
    lengths = _plainly(plain_tolist, known)
    sizes = [sum(n > t for n in lengths) for t in range(max(lengths))]
    with fake_tensor.unset_fake_temporarily():
        told = torch.tensor(sizes)
    return _Packed.apply(data.transpose(0, 1) if first else data, sizes), told


def _padded(data, sizes, first, value, total):
    """Sequences one after the other laid side by side, as at::_pad_packed_sequence does: a copy for each run of equal sizes."""
    sizes = _plainly(plain_tolist, _known.of(sizes))
    out = data.new_full((max(len(sizes), total), sizes[0], *data.shape[1:]), value)
    offset = 0
    for begin, end, size in _runs(sizes):
        count = (end - begin) * size
        out.narrow(0, begin, end - begin).narrow(1, 0, size).copy_(data.narrow(0, offset, count).view(end - begin, size, *data.shape[1:]))
        offset += count
    with fake_tensor.unset_fake_temporarily():
        lengths = torch.tensor([sum(n > b for n in sizes) for b in range(sizes[0])])
    return out.transpose(0, 1) if first else out, lengths


def _has_biases(each, projected):
    """Whether so many weights of a layer's direction are more than those of input, state and projection."""
    return each > (3 if projected else 2)


def _room_for_biases(weights, each, projected):
    """How many numbers cuDNN's buffer of all weights has: room for two biases is in it where there are none (CUDNN_RNN_DOUBLE_BIAS)."""
    biases = 0 if _has_biases(each, projected) else 2 * weights[0].shape[0] * (len(weights) // each)
    return sum(w.numel() for w in weights) + biases


def _flatten(self):
    """cuDNN wants the weights of a recurrent module in one buffer, of which they become views."""
    weights = [getattr(self, n) for names in self._all_weights for n in names] if hasattr(self, "_all_weights") else self._flat_weights
    if not weights or any(not isinstance(w, torch.Tensor) or w.device.type != "cuda" for w in weights):
        return
    storages = {w.untyped_storage()._cdata for w in weights}
    if len(storages) == 1 and len(weights) > 1 or weights[0].dtype not in torch.backends.cudnn.CUDNN_TENSOR_DTYPES:
        return
    with torch.no_grad():
        size = _room_for_biases(weights, len(weights) // (self.num_layers * (2 if self.bidirectional else 1)), self.proj_size)
        buffer = torch.zeros(size, dtype=weights[0].dtype, device=weights[0].device)
        at = 0
        for w in weights:
            part = buffer[at:at + w.numel()].view(w.shape)
            part.copy_(w)
            _take(w, part)
            at += w.numel()


def _halved(weights, each, projected):
    """Under autocast a recurrent layer computes in float16, whichever type autocast is for: its weights are copied into one buffer (_cudnn_rnn_cast_reflatten)."""
    if weights[0].dtype in (torch.float16, torch.float64):
        return weights
    buffer, parts, at = torch.zeros(_room_for_biases(weights, each, projected), dtype=torch.float16, device=weights[0].device), [], 0
    for w in weights:
        part = buffer[at:at + w.numel()].view(w.shape).detach()    # of which autograd knows what is copied alone
        parts.append(part.copy_(w))
        at += w.numel()
    return parts


def _recurrent(mode, plain, follow, device):
    """The recurrent function of that number at cuDNN, as PyTorch calls it for a CUDA tensor (aten/src/ATen/native/cudnn/RNN.cpp)."""
    def call(input, *rest):
        packed = not isinstance(rest[2], bool)
        if input.device.type != "cuda":
            return plain(input, *rest)
        if packed:
            sizes, hidden, weights, biases, layers, dropout, train, both = rest
            known = _known.of(sizes)
            sizes, first = [1] * int(sizes.shape[0]) if known is None else _plainly(plain_tolist, known), False
        else:
            hidden, weights, biases, layers, dropout, train, both, first = rest
            sizes = []
        hx, cx = (hidden[0], hidden[1]) if mode == 2 else (hidden, None)
        width = (cx if cx is not None else hx).shape[-1]
        projected = hx.shape[-1] if cx is not None and hx.shape[-1] != width else 0
        state = follow.dropout.get("state") if dropout > 0 and train else None
        if dropout > 0 and train and state is None:            # random numbers for every thread that the device can run
            torch.empty((), dtype=torch.int64, device=input.device).random_()    # the seed
            state = follow.dropout["state"] = torch.empty(device[2] * THREADS * RANDOM_STATE, dtype=torch.uint8, device=input.device)
        per = len(weights) // (layers * (2 if both else 1))
        if torch.is_autocast_enabled("cuda"):
            weights = _halved(weights, per, projected)
            cx, hx, input = [t if t is None or t.dtype == torch.float64 else t.half() for t in (cx, hx, input)]
        with torch._C._DisableAutocast():
            out, hy, cy, _, _ = aten._cudnn_rnn(input, list(weights), per, weights[0].new_empty(0), hx, cx, mode, width, projected, layers, first,
                                                dropout, train, both, sizes, state)
        return (out, hy, cy) if mode == 2 else (out, hy)
    return call
