"""Sparse tensors in CSR and CSC: where rows or columns begin, the other index, and values (aten/src/ATen/native/sparse/SparseCsrTensor.cpp).

As with `sparse`, what is done with them is done with their parts; what has no such rule is refused with what to use instead.
"""
import warnings

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._mode_utils import no_dispatch

from .common import aten, TraceError
from .sparse import _is_sparse, _parts, _sparse_coalesced, _sparse_dense

COMPRESSED = {torch.sparse_csr: torch.sparse_csc, torch.sparse_csc: torch.sparse_csr}
READS_COMPRESSED = {aten.values.default, aten.crow_indices.default, aten.col_indices.default, aten.ccol_indices.default, aten.row_indices.default, aten._nnz.default,
                    aten.is_pinned.default}


def _is_compressed(t):
    return isinstance(t, FakeTensor) and t.layout in COMPRESSED


def _compressed_parts(t):
    begins, others = (t.crow_indices, t.col_indices) if t.layout == torch.sparse_csr else (t.ccol_indices, t.row_indices)
    return begins(), others(), t.values()


def _compressed(follow, begins, others, values, shape, layout):
    """A tensor of these parts, which it shares."""
    with no_dispatch(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)           # that compressed tensors are new
        plain = [torch.empty(0, dtype=p.dtype, device="meta").set_(p.untyped_storage(), p.storage_offset(), p.shape, p.stride()) for p in (begins, others, values)]
        made = torch.sparse_compressed_tensor(*plain, tuple(shape), dtype=values.dtype, layout=layout, device="meta", check_invariants=False)
    return FakeTensor(follow.fake_mode, made, values.device)


def _compressed_made(follow, begins, others, values, size=None, *, dtype=None, layout=None, device=None, **_):
    if size is None:
        raise TraceError(f"a compressed sparse tensor was made without its shape, at {follow.text(follow.stack())}; the shape follows from values, which are not "
                         "known without a GPU. Give it: torch.sparse_csr_tensor(crow, col, values, (rows, columns))")
    return _compressed(follow, begins, others, values, size, layout)


def _compressed_alike(how):
    """The same places with other values; each part by itself."""
    def call(follow, t, *args, **kwargs):
        begins, others, values = _compressed_parts(t)
        return _compressed(follow, *how(begins, others, values, *args, **kwargs), t.shape, t.layout)
    return call


def _compressed_brought(begins, others, values, *, dtype=None, device=None, **_):
    return begins.to(device or begins.device), others.to(device or others.device), values.to(device or values.device, dtype or values.dtype)


def _compressed_turned(follow, t, *_):
    return _compressed(follow, *_compressed_parts(t), t.shape[::-1], COMPRESSED[t.layout])


def _compressed_as_rows(follow, t):
    """By rows: what is by columns is sorted anew, in which no rule says what is taken."""
    if t.layout == torch.sparse_csr:
        return t
    begins, others, values = _compressed_parts(t)
    with follow.unseen():
        made = begins.new_empty((t.shape[0] + 1,)), others.new_empty(others.shape), values.new_empty(values.shape)
    follow.record(aten._to_sparse_csr.default, (begins, others, values), {}, made, torch._C._current_autograd_node(), torch._C._current_graph_task_id() != -1)
    return _compressed(follow, *made, t.shape, torch.sparse_csr)


def _compressed_times(follow, t, dense):
    """Zeros that the product is added to, out of place; what cuSPARSE works in is not known (SparseBlas.cpp, addmm_out_sparse_csr)."""
    if not _is_compressed(t) or dense.layout != torch.strided:
        raise TraceError(f"a compressed sparse tensor was multiplied from the right, or by a sparse one, at {follow.text(follow.stack())}; its product with a dense "
                         "one from the right is followed. Turn it: (sparse.t() @ dense.t()).t(), or use torch.sparse_coo_tensor")
    shape = (t.shape[0], *dense.shape[1:])
    sum = torch.zeros(shape, dtype=dense.dtype, device=dense.device)
    return _compressed_sum(follow, sum, t, dense)


def _compressed_sum(follow, sum, t, dense, **_):
    rows = _compressed_as_rows(follow, t)
    with follow.unseen():
        out = dense.new_empty((t.shape[0], *dense.shape[1:]))
    follow.record(aten._sparse_mm.default, (*_compressed_parts(rows), dense), {}, out, torch._C._current_autograd_node(), torch._C._current_graph_task_id() != -1)
    return out


def _compressed_entries(follow, t, *_, layout=None, **__):
    """As COO: indices of both kinds side by side."""
    rows = _compressed_as_rows(follow, t)
    if layout not in (None, torch.sparse_coo):
        return rows
    begins, others, values = _compressed_parts(rows)
    indices = aten._convert_indices_from_csr_to_coo.default(begins, others)
    return aten._sparse_coo_tensor_with_dims_and_tensors.default(2, 0, list(t.shape), indices, values, dtype=values.dtype, layout=torch.sparse_coo,
                                                                 device=values.device, is_coalesced=True)


def _by_rows(follow, t, *_, **__):
    """coo_to_sparse_csr and dense_to_sparse_csr of TensorConversions.cpp."""
    if _is_compressed(t):
        return _compressed_as_rows(follow, t)
    t = t if _is_sparse(t) else t.to_sparse()
    if not t.is_coalesced():
        t = _sparse_coalesced(follow, t)
    indices, values = _parts(t)
    return _compressed(follow, aten._convert_indices_from_coo_to_csr.default(indices[0], t.shape[0]), indices[1], values, t.shape, torch.sparse_csr)


def _refused_compressed(op):
    def call(follow, *_, **__):
        raise TraceError(f"{op} of a compressed sparse tensor cannot be recorded, at {follow.text(follow.stack())}: products with dense ones, copies, scaling and "
                         "conversions are followed. Use torch.sparse_coo_tensor there")
    return call


def _how_compressed(op, args):
    if any(_is_compressed(a) for a in args) and op not in READS_COMPRESSED:
        return WITH_COMPRESSED.get(op) or _refused_compressed(op)
    return MAKES_COMPRESSED.get(op)


MAKES_COMPRESSED = {aten.sparse_compressed_tensor.comp_plain_value_size: _compressed_made, aten._sparse_compressed_tensor_unsafe.default: _compressed_made,
                    aten.sparse_compressed_tensor.comp_plain_value: _compressed_made, aten._to_sparse_csr.default: _by_rows}
WITH_COMPRESSED = {aten.detach.default: _compressed_alike(lambda *parts: parts), aten.alias.default: _compressed_alike(lambda *parts: parts),
                   aten.clone.default: _compressed_alike(lambda *parts, **_: [p.clone() for p in parts]), aten._to_copy.default: _compressed_alike(_compressed_brought),
                   aten.mul.Tensor: _compressed_alike(lambda begins, others, values, by: (begins.clone(), others.clone(), values * by)),
                   aten.mul.Scalar: _compressed_alike(lambda begins, others, values, by: (begins.clone(), others.clone(), values * by)),
                   aten.t.default: _compressed_turned, aten.transpose.int: _compressed_turned, aten.mm.default: _compressed_times, aten.mv.default: _compressed_times,
                   aten._sparse_mm.default: _compressed_times, aten.addmm.default: _compressed_sum, aten._sparse_addmm.default: _compressed_sum,
                   aten._to_dense.default: _sparse_dense, aten._to_sparse.default: _compressed_entries, aten._to_sparse.sparse_dim: _compressed_entries,
                   aten._to_sparse_csr.default: _by_rows}
