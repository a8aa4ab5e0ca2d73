"""Shapes of what CUDA kernels make that PyTorch has no meta kernel for, registered once for the process."""
import warnings

import torch

from .recurrent import FIRST_OF_RNN, _has_biases

_library = []
# Operations that have kernels of CUDA's and none for tensors without memory.
FUSED_STEPS = ("_fused_sgd_", "_fused_sgd_.tensor_lr", "_fused_adagrad_", "_fused_adagrad_.tensor_lr", "_fused_adam_.tensor_lr", "_fused_adamw_.tensor_lr")
LIKE_THE_FIRST = ("_standard_gamma", "_standard_gamma_grad", "_sample_dirichlet", "_dirichlet_grad", "binomial", "_masked_softmax", "_masked_softmax_backward")
LIKE_THE_SECOND = ("multi_margin_loss_backward", "multilabel_margin_loss_backward", "fractional_max_pool3d_backward")
WITH_A_MASK = ("fake_quantize_per_tensor_affine_cachemask", "fake_quantize_per_channel_affine_cachemask",
               "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams")


def _metas_of_recurrent_layers():
    if _library:
        return
    library = torch.library.Library("aten", "IMPL", "Meta")

    def backward(input, weight, weight_stride0, weight_buf, hx, cx, output, grad_output, grad_hy, grad_cy, *rest):
        turned = torch.empty_like(input.transpose(0, 1), memory_format=torch.contiguous_format).transpose(0, 1)
        if _has_biases(weight_stride0, rest[2]):               # the weights' gradients are parts of one, else copied out of it
            whole = weight[0].new_empty(sum(w.numel() for w in weight))
            gradients = [part.view(w.shape) for w, part in zip(weight, whole.split([w.numel() for w in weight]))]
        else:
            gradients = [torch.empty_like(w, memory_format=torch.contiguous_format) for w in weight]
        return (turned if rest[FIRST_OF_RNN - 6] else torch.empty_like(input), torch.empty_like(hx), torch.empty_like(cx) if cx is not None else None, gradients)

    def gru(ig, hg, hx, *rest):
        return torch.empty_like(hx), hx.new_empty((hx.shape[0], 5 * hx.shape[1]))

    def gru_backward(grad, workspace, bias):
        gates = lambda: grad.new_empty((grad.shape[0], 3 * grad.shape[1]))
        sums = lambda: grad.new_empty((3 * grad.shape[1],)) if bias else None
        return gates(), gates(), torch.empty_like(grad), sums(), sums()

    def lstm(ig, hg, cx, *rest):
        return torch.empty_like(cx), torch.empty_like(cx), torch.empty_like(ig)

    def lstm_backward(grad_hy, grad_cy, cx, cy, workspace, bias):
        return torch.empty_like(workspace), torch.empty_like(cx), workspace.new_empty((workspace.shape[1],)) if bias else None

    def first(t, *rest, **named):
        return torch.empty_like(t)

    def second(_, t, *rest, **named):
        return torch.empty_like(t)

    def masked(t, *rest, **named):
        return torch.empty_like(t), torch.empty_like(t, dtype=torch.bool)

    library.impl("_cudnn_rnn_backward", backward)
    library.impl("cudnn_grid_sampler", lambda input, grid: input.new_empty((*input.shape[:2], *grid.shape[1:3])))
    library.impl("cudnn_grid_sampler_backward", lambda input, grid, gradient: (input.new_empty(input.shape), grid.new_empty(grid.shape)))
    library.impl("_ctc_loss_backward", lambda grad, scores, *rest: torch.empty_like(scores, memory_format=torch.contiguous_format))
    for name, meta in (("_thnn_fused_gru_cell", gru), ("_thnn_fused_gru_cell_backward", gru_backward), ("_thnn_fused_lstm_cell", lstm),
                       ("_thnn_fused_lstm_cell_backward_impl", lstm_backward), *((name, lambda *a, **k: None) for name in FUSED_STEPS), *((name, first) for name in LIKE_THE_FIRST),
                       *((name, second) for name in LIKE_THE_SECOND), *((name, masked) for name in WITH_A_MASK)):
        if not torch._C._dispatch_has_kernel_for_dispatch_key("aten::" + name, "Meta"):
            library.impl(name, meta)
    _library.append(library)
    _library.append(_views_of_zeros())


def _views_of_zeros():
    """Zeros that are never written (tangents of what does not change) are viewed by kernels that go past fake tensors; where these step aside, views are made as of others."""
    library = torch.library.Library("aten", "IMPL", "ZeroTensor")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)           # of a kernel that is replaced
        for name in ("view", "as_strided", "_reshape_alias"):  # RegisterZeroTensor.cpp
            library.impl(name, torch.library.fallthrough_kernel)
    return library
