"""In which order of memory a GPU lays results that fake tensors lay otherwise.

The order decides whether a later operation copies. Convolutions have cuDNN's order, some kernels write side by side whatever came in, some follow the
gradient. Settings of cuDNN by which its plans are chosen are here, too: the file tells them, and `plan` counts workspaces by them.
"""
import torch
from torch._prims_common import suggest_memory_format

from .common import aten

# Operations that write their first result side by side whatever their inputs' order; fake ones follow the inputs.
PACKED = {aten._softmax.default, aten._log_softmax.default, aten._softmax_backward_data.default, aten._log_softmax_backward_data.default,
          aten.mse_loss_backward.default, aten.smooth_l1_loss_backward.default, aten.huber_loss_backward.default, aten.native_layer_norm.default,
          aten.native_layer_norm_backward.default, aten._fused_rms_norm.default, aten._fused_rms_norm_backward.default,
          aten.native_group_norm.default, aten.native_group_norm_backward.default, aten.pixel_shuffle.default, aten.pixel_unshuffle.default,
          aten.glu_backward.default}
# Operations whose result lies as the gradient does, which comes first.
AS_GRADIENT = {aten.hardswish_backward.default, aten.elu_backward.default, aten.softplus_backward.default, aten.hardtanh_backward.default}
CONVOLUTIONS = {aten.convolution.default: (0, 1), aten.convolution_backward.default: (1, 2)}
CUDNN_AS_IT_IS = (0, False, True)                              # how many plans are tried, whether only those of one order of sums, whether float32 may be TF32
TRIED_PLANS, ALL_PLANS = 10, 10000


def _cudnn_settings():
    """As PyTorch hands them to cuDNN's convolutions; the limit of 0 stands for all plans (Convolution.cpp, Conv_v8.cpp)."""
    cudnn = torch.backends.cudnn
    limit = getattr(cudnn, "benchmark_limit", None)
    tried = (TRIED_PLANS if limit is None else limit or ALL_PLANS) if cudnn.benchmark else 0
    try:
        tf32 = cudnn.allow_tf32
    except RuntimeError:                                       # set by the newer names
        tf32 = cudnn.conv.fp32_precision == "tf32"
    return tried, cudnn.deterministic or torch.are_deterministic_algorithms_enabled(), tf32


def _as_cudnn_lays(op, args, result):
    """Channels side by side where the input or the weight has them so (cudnn_conv_suggest_memory_format); whichever device it is."""
    input, weight = (args[i] for i in CONVOLUTIONS[op])
    if input.device.type != "cuda" or weight.dim() not in (4, 5) or input.dtype == torch.float64:
        return result
    formats = {suggest_memory_format(input), suggest_memory_format(weight)} - {torch.contiguous_format}
    wanted = formats.pop() if formats else torch.contiguous_format
    laid = lambda t: t if t is None or t.dim() < 4 or t.is_contiguous(memory_format=wanted) else torch.empty_like(t, memory_format=wanted)
    return laid(result) if isinstance(result, torch.Tensor) else tuple(laid(t) for t in result)


def _packed_first(result):
    first, *rest = result if isinstance(result, (list, tuple)) else [result]
    if first is None or first.is_contiguous():
        return result
    first = first.new_empty(first.shape)
    return (first, *rest) if isinstance(result, (list, tuple)) else first


POINTWISE = torch.Tag.pointwise


def _as_iterated(args, result):
    """Where all operands are contiguous so is the result, also by steps that a size of 1 leaves open (TensorIterator.cpp, fast_set_up)."""
    given = [a for a in args if isinstance(a, torch.Tensor) and a.dim()]
    packed = result.stride() == torch._prims_common.make_contiguous_strides_for(result.shape)
    if packed or 1 not in result.shape or any(a.shape != result.shape or not a.is_contiguous() for a in given):
        return result
    return result.new_empty(result.shape)


def _as_gradient(gradient, result):
    dense = torch.empty_like(gradient)
    lies = gradient.shape == result.shape and gradient.dtype == result.dtype and dense.stride() == gradient.stride()
    return dense if lies and result.stride() != dense.stride() else result
