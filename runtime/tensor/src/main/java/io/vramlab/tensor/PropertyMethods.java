package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.internal.core.Storage;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.TensorException;

/**
 * What a {@link Tensor} is and where it lies. Asking allocates nothing and waits for nothing.
 */
abstract sealed class PropertyMethods extends TransferMethods permits ValueMethods {

    /** {@return sizes in elements, outermost dimension first; a copy} As {@code torch.Tensor.shape}. */
    public long[] shape() {
        return read(a -> a.shape().clone());
    }

    /**
     * Size of one dimension, in elements. As {@code torch.Tensor.size}.
     *
     * @param dim
     *            from the back when negative
     * @return 0 or more
     * @throws TensorException
     *             if there is no such dimension
     */
    public long size(int dim) {
        return read(a -> a.size(dim));
    }

    /**
     * {@return how many elements lie between neighbours of each dimension; a copy} As {@code torch.Tensor.stride}.
     */
    public long[] strides() {
        return read(a -> a.strides().clone());
    }

    /** {@return number of dimensions, 0 for a scalar} As {@code torch.Tensor.dim}. */
    public int dim() {
        return read(TensorImpl::rank);
    }

    /** {@return number of elements, the product of the sizes} As {@code torch.Tensor.numel}. */
    public long numel() {
        return read(TensorImpl::count);
    }

    /** {@return element type} As {@code torch.Tensor.dtype}. */
    public DType dtype() {
        return read(TensorImpl::dtype);
    }

    /** {@return where its memory is} As {@code torch.Tensor.device}. */
    public Device device() {
        return read(TensorImpl::device);
    }

    /** {@return bytes of one element, from 1 to 8} As {@code torch.Tensor.element_size}. */
    public int elementSize() {
        return read(a -> a.dtype().bytes());
    }

    /**
     * {@return number of elements times bytes of one: what a contiguous copy asks for, not what a view holds} As
     * {@code torch.Tensor.nbytes}.
     */
    public long nbytes() {
        return read(a -> a.count() * a.dtype().bytes());
    }

    /** {@return the memory behind it, which views share; borrowed} As {@code torch.Tensor.untyped_storage}. */
    public Storage storage() {
        return read(TensorImpl::storage);
    }

    /** {@return device address of the first element, in bytes} As {@code torch.Tensor.data_ptr}. */
    public long dataPtr() {
        return read(a -> a.operand().address());
    }

    /**
     * {@return true when elements lie one after another in row-major order} As {@code torch.Tensor.is_contiguous}.
     */
    public boolean isContiguous() {
        return read(TensorImpl::isContiguous);
    }

    /** {@return true on a GPU, real or simulated} As {@code torch.Tensor.is_cuda}. */
    public boolean isCuda() {
        return read(a -> a.device().isCuda());
    }

    /** {@return true for page-locked host memory} As {@code torch.Tensor.is_pinned}. */
    public boolean isPinned() {
        return read(a -> a.storage().isPinned());
    }

    /** {@return how often the storage was written in place; views count too} As {@code torch.Tensor._version}. */
    public int version() {
        return read(a -> a.storage().version());
    }
}
