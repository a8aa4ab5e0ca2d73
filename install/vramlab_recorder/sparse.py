"""Sparse tensors in coordinates (COO), as gradients of embeddings are: indices and values, which are tensors of their own.

What a CUDA device does with them is done with their two parts (aten/src/ATen/native/sparse), so that each part is recorded with its own size and life.
"""
import math

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .common import aten, _plain_data, _plainly, TraceError
from .known import _known


def _is_sparse(t):
    return isinstance(t, FakeTensor) and t.layout == torch.sparse_coo


def _has_sparse(values):
    return any(_is_sparse(v) for v in values)


def _close(follow, a, b, *args, **kwargs):
    """allclose, which asks for all at the end."""
    near = torch.isclose(a, b, *args, **kwargs)
    whole = near.all()
    answer = bool(whole.item())
    del whole, near
    return answer


BAGS_ARE_SPARSE = 9                                            # the argument sparse of _embedding_bag_backward


def _how_sparse(op, args):
    if _has_sparse(args):
        return SPARSE.get(op)
    if op is aten._embedding_bag_backward.default and args[BAGS_ARE_SPARSE]:
        return lambda follow, gradient, indices, offsets, bags, sizes, most, *rest: _sparse_bags(follow, gradient, indices, offsets, bags, sizes, *rest[:3], *rest[4:])
    name = op._schema.name
    if name.startswith("aten::_foreach_") and isinstance(args[0], (list, tuple)) and _has_sparse(args[0]):
        return lambda follow, *lists, **k: _one_by_one(getattr(torch.Tensor, name[15:]), lists, k)
    return None


def _one_by_one(function, lists, named):
    done = [function(*(v[i] if isinstance(v, (list, tuple)) else v for v in lists), **named) for i in range(len(lists[0]))]
    return None if function.__name__.endswith("_") else done


def _parts(t):
    indices, values = aten._indices.default(t), aten._values.default(t)
    if getattr(t, "_vramlab_rows", None) is not None:
        indices._vramlab_value = t._vramlab_rows
    return indices, values


def _of_parts(t, indices, values, coalesced=None, device=None):
    return aten._sparse_coo_tensor_with_dims_and_tensors.default(
        t.sparse_dim(), t.dense_dim(), list(t.shape), indices, values, dtype=values.dtype, layout=torch.sparse_coo, device=device or t.device,
        is_coalesced=t.is_coalesced() if coalesced is None else coalesced)


def _sparse_copied(t):
    indices, values = _parts(t)
    values = values.clone()
    return _of_parts(t, indices.clone(), values)


def _sparse_clone(follow, t, *, memory_format=None):
    parts = _parts(t)
    reaches_a_leaf = torch._C._current_autograd_node() is not None    # whose gradient it becomes as it is, where it has no gaps (accumulate_grad.h)
    return _of_parts(t, *parts) if reaches_a_leaf and all(part.is_contiguous() for part in parts) else _sparse_copied(t)


def _sparse_brought(follow, t, *, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None):
    """To another device or type: its indices, then its values (Copy.cpp, copy_into_sparse)."""
    indices, values = _parts(t)
    known, indices = _known.of(indices), indices.to(device=device, copy=True)
    values = values.to(device=device, dtype=dtype, copy=True)
    made = aten._sparse_coo_tensor_with_dims_and_tensors.default(t.sparse_dim(), t.dense_dim(), list(t.shape), indices, values, dtype=values.dtype,
                                                                 layout=torch.sparse_coo, device=values.device, is_coalesced=t.is_coalesced())
    made._vramlab_rows = known
    return made


def _sparse_coalesced(follow, t):
    """Rows of one index become one: their number hangs on the indices' values, and is what even draws would leave if they are not known."""
    indices, values = _parts(t)
    known, count = getattr(t, "_vramlab_rows", None), indices.shape[1]
    if getattr(t, "_vramlab_distinct", False):
        distinct = count
    elif known is not None:
        distinct = _plainly(lambda: torch.unique(known, dim=1).shape[1])
    else:
        rows = 1
        for n in t.shape[:t.sparse_dim()]:
            rows *= n
        distinct = min(count, round(-rows * math.expm1(count * math.log1p(-1 / rows)))) if rows > 1 else min(count, 1)
        follow.note("how many different rows a sparse gradient has is not known without a GPU; taken as even draws leave")
    flat = t.sparse_dim() == 1                                 # where the sorted indices stay where they were sorted
    with follow.unseen():
        kept = indices.new_empty((1, count))[:, :distinct] if flat else indices.new_empty((t.sparse_dim(), distinct))
        merged = values.new_empty((distinct, *values.shape[1:]))
    follow.record(aten._coalesce.default, (indices, values), {}, (kept, merged), torch._C._current_autograd_node(), torch._C._current_graph_task_id() != -1)
    return _of_parts(t, kept, merged, True)


def _sparse_added(follow, a, b, *, alpha=1):
    if not _is_sparse(a):                                      # rows are added to a copy
        return a.clone()
    (i, v), (j, w) = _parts(a), _parts(b)
    if alpha != 1:
        w = w * alpha
    indices = torch.cat([i, j], 1)
    return _of_parts(a, indices, torch.cat([v, w]), False)


def _sparse_scaled(follow, t, by):
    indices, values = _parts(t)
    indices = indices.clone()
    return _of_parts(t, indices, values * by)


def _on_values(how):
    """Of each value, beside a copy of the indices."""
    def call(follow, t, *args, **kwargs):
        indices, values = _parts(t)
        indices = indices.clone()
        return _of_parts(t, indices, how(values, *args, **kwargs))
    return call


def _sparse_permuted(follow, t, dims):
    """Rows of indices in another order, the values as they are (TensorShape.cpp, permute_sparse_coo)."""
    indices, values = _parts(t)
    dims = [d % t.dim() for d in dims]
    if any(d >= t.sparse_dim() for d in dims[:t.sparse_dim()]) or t.dense_dim():
        raise TraceError(f"dimensions of a sparse tensor that has dense ones were permuted, at {follow.text(follow.stack())}; those of tensors without are followed")
    rows = indices.index_select(0, torch.tensor(dims, device=t.device)) if dims != sorted(dims) else indices
    with follow.unseen():
        made = aten._sparse_coo_tensor_with_dims_and_tensors.default(t.sparse_dim(), 0, [t.shape[d] for d in dims], rows, values, dtype=values.dtype,
                                                                     layout=torch.sparse_coo, device=t.device, is_coalesced=t.is_coalesced() and dims[0] == 0)
    made._vramlab_distinct = t.is_coalesced()
    return made


def _sparse_bags(follow, gradient, indices, offsets, bags, sizes, rows, scale, mode, weights=None, padding=-1):
    """_embedding_bag_sparse_backward: the gradient of each entry's bag, by the bag's size for a mean, but for entries that pad (EmbeddingBag.cpp)."""
    known = _known.of(indices)
    values = gradient.index_select(0, bags)
    if mode == 1:
        inverse = (1 / sizes.to(gradient.dtype)).unsqueeze(1).index_select(0, bags)
        values.mul_(inverse)
    elif weights is not None:
        values.mul_(weights.unsqueeze(1))
    if padding != -1:
        kept = indices != padding
        known = None if known is None else _plainly(lambda: known[known != padding])
        indices, values = indices[kept], values[kept]
    indices = indices.reshape(1, -1)
    made = aten._sparse_coo_tensor_with_dims_and_tensors.default(1, gradient.dim() - 1, [rows, *gradient.shape[1:]], indices, values, dtype=values.dtype,
                                                                 layout=torch.sparse_coo, device=values.device)
    made._vramlab_rows = None if known is None else _plainly(known.reshape, 1, -1)
    return made


def _named(op, result_of):
    """Results alone, under the name of an operation that no rule says more of."""
    def call(follow, *args):
        with follow.unseen():
            like = result_of(*args)
            made = _of_parts(like, *(part.new_empty(part.shape) for part in _parts(like)))
        parts = [part for t in args if _is_sparse(t) for part in _parts(t)]
        follow.record(op, parts, {}, _parts(made), torch._C._current_autograd_node(), torch._C._current_graph_task_id() != -1)
        return made
    return call


def _sparse_masked(follow, t, mask):
    if _is_sparse(t):                                          # where both have entries (SparseBinaryOpIntersectionCommon.h)
        return _named(aten.sparse_mask.default, lambda t, mask: mask)(follow, t, mask)
    indices, _ = _parts(mask)
    one = torch.ones((1,), dtype=t.dtype, device=t.device)
    rows = t.index_select(0, indices[0]) if mask.sparse_dim() == 1 else t[tuple(indices)]
    indices = indices.clone()
    return _of_parts(mask, indices, rows * one)


def _sparse_turned(follow, t, first=0, second=1):
    made = _sparse_copied(t)
    indices, values = _parts(made)
    indices[0].clone()                                         # a row, while two change places
    with follow.unseen():
        shape = list(t.shape)
        shape[first], shape[second] = shape[second], shape[first]
        turned = aten._sparse_coo_tensor_with_dims_and_tensors.default(t.sparse_dim(), t.dense_dim(), shape, indices, values, dtype=values.dtype,
                                                                       layout=torch.sparse_coo, device=t.device, is_coalesced=False)
    turned._vramlab_distinct = t.is_coalesced()
    return turned


def _sparse_times(follow, t, dense):
    """A sparse matrix by a dense one: zeros that the product is added to (SparseBlasImpl.cpp, s_addmm_out_sparse_dense_cuda).

    A dense one by a sparse one is the same, turned (SparseTensorMath.cpp, _sparse_mm)."""
    if not _is_sparse(t):
        zeros = torch.zeros((t.shape[0], dense.shape[1]), dtype=t.dtype, device=t.device)
        return _sparse_product(follow, zeros.t(), dense.t(), t.t()).t()
    if _is_sparse(dense):
        return _sparse_by_sparse(follow, t, dense)
    return _sparse_product(follow, torch.zeros((t.shape[0], dense.shape[1]), dtype=dense.dtype, device=dense.device), t, dense)


def _sparse_product(follow, sum, t, dense, *, beta=1, alpha=1):
    out = dense.new_empty((t.shape[0], dense.shape[1]))
    if not t.is_coalesced():
        t = _sparse_coalesced(follow, t)
    follow.record(aten._sparse_addmm.default, (out, *_parts(t), dense), {}, None, torch._C._current_autograd_node(),
                  torch._C._current_graph_task_id() != -1)
    return out


def _sparse_by_sparse(follow, a, b):
    """As many entries as even draws leave of all that meet."""
    with follow.unseen():
        rows, columns = a.shape[0], b.shape[1]
        meet, places = a._nnz() * b._nnz() / max(a.shape[1], 1), rows * columns
        count = min(places, round(-places * math.expm1(meet * math.log1p(-1 / places)))) if places > 1 else places
        indices, values = _parts(a)
        indices, values = indices.new_empty((2, count)), values.new_empty((count,))
    follow.note("how many entries the product of two sparse matrices has is not known without a GPU; taken as even draws leave")
    follow.record(aten._sparse_sparse_matmul.default, (*_parts(a), *_parts(b)), {}, (indices, values), torch._C._current_autograd_node(),
                  torch._C._current_graph_task_id() != -1)
    return aten._sparse_coo_tensor_with_dims_and_tensors.default(2, 0, [rows, columns], indices, values, dtype=values.dtype, layout=torch.sparse_coo,
                                                                 device=values.device, is_coalesced=True)


def _in_place_of(how):
    """The same tensor with other parts."""
    def call(follow, t, *args, **kwargs):
        made = how(follow, t, *args, **kwargs)
        with follow.unseen():
            _plain_data.__set__(t, made)
        t._vramlab_rows = getattr(made, "_vramlab_rows", None)
        return t
    return call


def _sparse_alike(follow, t, *args, **kwargs):
    return _of_parts(t, *_parts(t))


def _sparse_added_in_place(follow, a, b, *, alpha=1):
    return _in_place_of(_sparse_added)(follow, a, b, alpha=alpha) if _is_sparse(a) else a


def _sparse_nothing(follow, t):
    indices, values = _parts(t)
    with follow.unseen():
        none = indices[:, :0].clone(), values[:0].clone()
    none[0]._vramlab_value = _plainly(torch.empty, none[0].shape, dtype=torch.int64)
    return _of_parts(t, *none, True)


def _sparse_dense(follow, t, *args, **kwargs):
    return torch.zeros(t.shape, dtype=t.dtype, device=t.device)


def _made_sparse(follow, t, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    """Where values are, and those values: dense_to_sparse of TensorConversions.cpp."""
    if layout not in (None, torch.sparse_coo) or dense_dim or sparse_dim not in (None, t.dim()):
        raise TraceError(f"a tensor was to become sparse with layout {layout} and dense dimensions, at {follow.text(follow.stack())}; only sparse_coo without "
                         "dense dimensions is followed")
    indices = t.nonzero().transpose(0, 1).clone()
    values = t[tuple(indices.chunk(t.dim(), 0))].squeeze(0).clone()
    made = aten._sparse_coo_tensor_with_dims_and_tensors.default(t.dim(), 0, list(t.shape), indices, values, dtype=t.dtype, layout=torch.sparse_coo,
                                                                 device=t.device, is_coalesced=True)
    made._vramlab_rows = _known.of(indices)
    return made


def _sparse_summed(follow, t, dims, *_, **__):
    """Over sparse dimensions: the other indices and a copy of the values, of which those of one place become one (SparseTensorMath.cpp, _sparse_sum)."""
    indices, values = _parts(t)
    gone = {d % t.dim() for d in ([dims] if isinstance(dims, int) else dims)}
    kept = [d for d in range(t.sparse_dim()) if d not in gone]
    if not kept or max(gone) >= t.sparse_dim():
        raise TraceError(f"a sparse tensor was summed over all of its sparse dimensions or a dense one, at {follow.text(follow.stack())}; sums over some of "
                         "the sparse ones are followed. Sum its values instead: t.coalesce().values().sum()")
    values = values.clone()
    rows = indices.new_empty((len(kept), indices.shape[1]))
    made = aten._sparse_coo_tensor_with_dims_and_tensors.default(len(kept), t.dense_dim(), [n for d, n in enumerate(t.shape) if d not in gone], rows, values,
                                                                 dtype=values.dtype, layout=torch.sparse_coo, device=t.device, is_coalesced=False)
    known = getattr(t, "_vramlab_rows", None)
    made._vramlab_rows = None if known is None else _plainly(lambda: known[kept])
    return _sparse_coalesced(follow, made)


def _of_values(how):
    return lambda follow, t, *args, **kwargs: how(_parts(t)[1], *args, **kwargs)


AS_OTHERS = {aten._to_sparse.default: _made_sparse, aten._to_sparse.sparse_dim: _made_sparse, aten.allclose.default: _close, aten._embedding_bag_sparse_backward.default: _sparse_bags}
SPARSE = {aten._to_copy.default: _sparse_brought, aten.clone.default: _sparse_clone, aten.detach.default: _sparse_alike, aten.alias.default: _sparse_alike, aten._coalesce.default: _sparse_coalesced,
          aten.add.Tensor: _sparse_added, aten.add_.Tensor: _sparse_added_in_place, aten.mul.Tensor: _sparse_scaled, aten.mul_.Tensor: _in_place_of(_sparse_scaled),
          aten.mul.Scalar: _sparse_scaled, aten.mul_.Scalar: _in_place_of(_sparse_scaled), aten.neg.default: lambda follow, t: _sparse_copied(t),
          aten._sparse_addmm.default: _sparse_product, aten.addmm.default: _sparse_product, aten.mm.default: _sparse_times, aten._sparse_mm.default: _sparse_times,
          aten.t.default: _sparse_turned, aten.transpose.int: _sparse_turned, aten.sparse_mask.default: _sparse_masked, aten.zero_.default: _in_place_of(_sparse_nothing), aten._to_dense.default: _sparse_dense,
          aten._sparse_softmax.default: _named(aten._sparse_softmax.default, lambda t, *_: t), aten._sparse_log_softmax.default: _named(aten._sparse_log_softmax.default, lambda t, *_: t),
          aten._sparse_softmax_backward_data.default: _named(aten._sparse_softmax_backward_data.default, lambda gradient, t, *_: t),
          aten._sparse_log_softmax_backward_data.default: _named(aten._sparse_log_softmax_backward_data.default, lambda gradient, t, *_: t),
          aten.mv.default: lambda follow, t, vector: _sparse_times(follow, t, vector.unsqueeze(-1)).squeeze(-1),
          aten._sparse_sparse_matmul.default: _sparse_by_sparse, aten._sparse_sum.dim: _sparse_summed, aten.sum.dim_IntList: _sparse_summed,
          aten.div.Tensor: _on_values(torch.div), aten.div.Scalar: _on_values(torch.div), aten.pow.Tensor_Scalar: _on_values(torch.pow), aten.abs.default: _on_values(torch.abs),
          aten.sqrt.default: _on_values(torch.sqrt), aten.permute.default: _sparse_permuted,
          aten.sum.default: _of_values(torch.sum), aten._sparse_sum.default: _of_values(torch.sum),
          aten.norm.ScalarOpt_dim: lambda follow, t, p, *a: torch.linalg.vector_norm(_parts(_sparse_coalesced(follow, t))[1]),
          aten.norm.Scalar: lambda follow, t, *a: torch.linalg.vector_norm(_parts(_sparse_coalesced(follow, t))[1]),
          aten.native_norm.default: lambda follow, t, *a: torch.linalg.vector_norm(_parts(_sparse_coalesced(follow, t))[1])}
