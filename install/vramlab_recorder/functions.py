"""Functions that take another way for tensor subclasses, as fake tensors are, than for plain tensors: here they go the plain tensors' way.

PyTorch's C++ asks `isTensorSubclassLike` where it would write in place, and composes a gradient of more operations. Each function here does what the other
branch does; its docstring names the source.
"""
import functools

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .common import aten
from .known import _known


def _folded(input, weight, bias=None):
    """Weights that learn are multiplied with a matrix, also where no gradient is asked for (LinearAlgebra.cpp, should_fold)."""
    out = torch.mm(input.reshape(-1, input.shape[-1]), weight.t()).view(*input.shape[:-1], weight.shape[0])
    return out if bias is None else out.add_(bias)


def _linear(follow, plain):
    """Where the product and the bias are two operations, the bias is added in place, but never to tensor subclasses."""
    def call(input, weight, bias=None):
        if bias is None or torch._C._functorch.is_functorch_wrapped_tensor(bias) or torch.autograd.forward_ad._current_level >= 0:
            return plain(input, weight, bias)
        with follow.adding_in_place():
            return plain(input, weight, bias)
    return call


def _one_hot(plain):
    """Ones are written into zeros; tensor subclasses are compared with all numbers (aten/src/ATen/native/Onehot.cpp)."""
    def call(tensor, num_classes=-1):
        if tensor.device.type == "cuda" and num_classes == -1 and tensor.numel():
            num_classes = int(tensor.max().item()) + 1
        if tensor.device.type != "cuda" or num_classes <= 0 or tensor.numel() == 0:
            return plain(tensor, num_classes)
        zeros = torch.zeros((*tensor.shape, num_classes), dtype=tensor.dtype, device=tensor.device)
        zeros.scatter_(-1, tensor.unsqueeze(-1), 1)
        if _known.of(zeros) is None:
            zeros._vramlab_ones = tensor.numel()
        return zeros
    return call


class _Product(torch.autograd.Function):
    """cumprod; backward as cumprod_backward does where nothing is zero, which it looks for (aten/src/ATen/native/ReduceOps.cpp)."""

    @staticmethod
    def forward(ctx, plain, tensor, dim):
        out = plain(tensor, dim)
        ctx.save_for_backward(tensor, out)
        ctx.dim = dim
        return out

    @staticmethod
    def backward(ctx, gradient):
        tensor, out = ctx.saved_tensors
        products = out * gradient
        is_zero = tensor == 0
        is_zero.any()
        turned = products.flip(ctx.dim)
        summed = turned.cumsum(ctx.dim)
        back = summed.flip(ctx.dim)
        del summed, turned
        result = back.div(tensor)
        del back, is_zero, products
        return None, result, None


def _cumprod(plain, tensor, dim, dtype, rest):
    simple = isinstance(tensor, FakeTensor) and tensor.device.type == "cuda" and tensor.requires_grad and torch.is_grad_enabled()
    if not simple or rest or dtype not in (None, tensor.dtype) or tensor.dim() == 0 or tensor.shape[dim] < 2:
        return plain(tensor, dim, dtype=dtype, **rest)
    return _Product.apply(plain, tensor, dim)


class _WholeProduct(torch.autograd.Function):
    """prod; backward as prod_backward does where nothing is zero, which it looks for too (torch/csrc/autograd/FunctionsManual.cpp)."""

    @staticmethod
    def forward(ctx, plain, tensor, dim, keepdim):
        out = plain(tensor) if dim is None else plain(tensor, dim, keepdim)
        ctx.save_for_backward(tensor, out)
        ctx.along, ctx.dim = dim, None if keepdim else dim
        return out

    @staticmethod
    def backward(ctx, gradient):
        tensor, out = ctx.saved_tensors
        if tensor.dim() == 0:
            return None, gradient.clone(), None, None
        is_zero = tensor == 0
        if ctx.along is None:
            is_zero._vramlab_part = 0
            where = is_zero.nonzero()
            del is_zero
        else:
            where = is_zero.sum(ctx.along, True)
            where.sum()
        if ctx.dim is not None:
            gradient, out = gradient.unsqueeze(ctx.dim), out.unsqueeze(ctx.dim)
        ratio = out / tensor
        result = gradient * ratio.conj()
        del ratio, where
        return None, result, None, None


def _prod(plain, tensor, *args, dim=None, keepdim=False, dtype=None, **rest):
    if args:
        dim, keepdim = args[0], args[1] if len(args) > 1 else keepdim
    simple = isinstance(tensor, FakeTensor) and tensor.device.type == "cuda" and tensor.requires_grad and torch.is_grad_enabled()
    if not simple or rest or dtype not in (None, tensor.dtype) or isinstance(dim, str) or tensor.numel() == 0:
        return plain(tensor, *args, **({} if dim is None or args else {"dim": dim, "keepdim": keepdim}), **({} if dtype is None else {"dtype": dtype}), **rest)
    return _WholeProduct.apply(plain, tensor, dim, keepdim)


def _jitted(kernel, *tensors, **kwargs):
    """An elementwise kernel that is compiled as the program runs, of which the source is all that is known here."""
    shape, dtype = torch.broadcast_shapes(*(t.shape for t in tensors)), functools.reduce(torch.promote_types, (t.dtype for t in tensors))
    made = tuple(torch.empty(shape, dtype=dtype, device=tensors[0].device) for _ in range(kernel.num_outputs))
    return made if kernel.num_outputs > 1 else made[0]


def _places(theta, size, align_corners):
    """Each pixel's place, times the turn that theta is (aten/src/ATen/native/AffineGridGenerator.cpp)."""
    batch, sides = size[0], tuple(size[2:])
    base = theta.new_empty((batch, *sides, len(sides) + 1))
    for i, side in enumerate(reversed(sides)):
        if side > 1:
            values = torch.linspace(-1, 1, side, dtype=theta.dtype, device=theta.device)
            values = values if align_corners else values * (side - 1) / side
        else:
            values = theta.new_zeros(())
        base.select(-1, i).copy_(values.view(-1, *(1,) * i))
    base.select(-1, len(sides)).fill_(1)
    return base.view(batch, -1, len(sides) + 1).bmm(theta.transpose(1, 2)).view(batch, *sides, len(sides))


class _Places(torch.autograd.Function):
    @staticmethod
    def forward(ctx, theta, size, align_corners):
        ctx.given = size, align_corners
        return _places(theta, size, align_corners)

    @staticmethod
    def backward(ctx, gradient):
        return aten.affine_grid_generator_backward(gradient, *ctx.given), None, None


def _affine_grid(plain, theta, size, align_corners):
    """Under autocast the product in it is one of 16 bits, which fake tensors leave out."""
    if not isinstance(theta, FakeTensor) or theta.device.type != "cuda" or not torch.is_autocast_enabled("cuda") or theta.dim() != 3 or len(size) not in (4, 5):
        return plain(theta, size, align_corners)
    if theta.requires_grad and torch.is_grad_enabled():
        return _Places.apply(theta, size, align_corners)
    return _places(theta, size, align_corners)
