"""Operations that fake tensors refuse or compute in another way than a CUDA device does: CTC, grouped products, singular values alone.

Each is given the results that the device's kernel has. What cannot be followed at all is named in `INSTEAD`, with what a program can do instead.
"""
import functools

import torch

from .common import aten

INSTEAD = {                                                    # of operations that are not followed
    "quantize_per": "PyTorch's quantized tensors are not followed. Quantize as training does, by torch.fake_quantize_per_tensor_affine, or leave it out",
    "nested_tensor": "nested tensors are followed where they are jagged. Make them with layout=torch.jagged"}

# What computes singular values or eigenvalues alone (BatchLinearAlgebra.cpp, LinearAlgebra.cpp).
WITH_VECTORS = {aten._linalg_svd.default: False, aten._linalg_eigh.default: "L"}    # and their second argument, if it is not given
VALUES_ALONE = ("svdvals", "eigvalsh", "cond", "matrix_norm", "norm", "matrix_rank")
# Operations that a CUDA tensor too runs as others, below autograd.
OPENED = {aten.linalg_pinv.atol_rtol_tensor: torch._C.DispatchKey.CompositeExplicitAutogradNonFunctional}


def _values_alone(follow, plain):
    @functools.wraps(plain)
    def call(*args, **kwargs):
        follow.values += 1
        try:
            return plain(*args, **kwargs)
        finally:
            follow.values -= 1
    return call


def _ctc(follow, plain):
    """at::ctc_loss with lengths as the host's numbers, which tensor subclasses would keep as tensors (aten/src/ATen/native/LossCTC.cpp)."""
    def call(scores, targets, inputs, lengths, blank=0, reduction=1, zero_infinity=False):
        if scores.device.type != "cuda":
            return plain(scores, targets, inputs, lengths, blank, reduction, zero_infinity)
        by_cudnn = isinstance(lengths, torch.Tensor) and cudnn_computes_ctc(scores, targets, inputs, lengths, blank)
        batched = scores if scores.dim() == 3 else scores.unsqueeze(1)
        most = targets.shape[-1] if targets.dim() > 1 else targets.shape[0] // batched.shape[1]
        inputs, lengths = follow.lengths(inputs, scores.shape[0]), follow.lengths(lengths, most)
        loss = torch._cudnn_ctc_loss(batched, targets, inputs, lengths, blank, False, zero_infinity)[0] if by_cudnn else \
            torch._ctc_loss(batched, targets.to(scores.device, torch.long), inputs, lengths, blank, zero_infinity)[0]
        if zero_infinity:
            zero = torch.zeros((), dtype=loss.dtype, device=loss.device)
            loss = torch.where(loss == float("inf"), zero, loss)
            del zero
        if reduction == 1:
            return (loss / torch.full((len(lengths),), 1, dtype=loss.dtype, device=loss.device).clamp_min(1)).mean()
        return loss.sum() if reduction == 2 else loss if scores.dim() == 3 else loss.squeeze(0)
    return call


ASKS_CTC = {aten._use_cudnn_ctc_loss.default, aten._use_cudnn_ctc_loss.Tensor}


def _grouped(a, b, ends=None, bias=None, out_dtype=None):
    """Other types than bfloat16 go product by product into one result (_grouped_mm_fallback)."""
    if a.dtype == torch.bfloat16:
        return aten._grouped_mm.default(a, b, ends, bias, out_dtype)
    groups = () if a.dim() + b.dim() == 5 else (len(ends),) if a.dim() == 2 else (a.shape[0],)
    return a.new_empty((*groups, a.shape[-2], b.shape[-1]))


# Of CTC's, lengths are on the host, though scores are not.
COMPUTED = {op: lambda scores, *rest, **named: (scores.new_empty((scores.shape[1],)), torch.empty_like(scores))
            for op in (aten._cudnn_ctc_loss.default, aten._cudnn_ctc_loss.Tensor)}
COMPUTED[aten._grouped_mm.default] = _grouped
COMPUTED[aten._index_put_impl_.default] = lambda self, *rest: self    # also by indices that are on the host
ASKS_AMD = {aten._use_miopen_ctc_loss.default, aten._use_miopen_ctc_loss.Tensor}


def cudnn_computes_ctc(scores, targets, inputs, lengths, blank):
    """aten/src/ATen/native/cudnn/LossCTC.cpp: targets one after the other, of int32."""
    return torch.backends.cudnn.enabled and blank == 0 and targets.dim() == 1 and scores.dtype == torch.float32 and targets.dtype == torch.int32
