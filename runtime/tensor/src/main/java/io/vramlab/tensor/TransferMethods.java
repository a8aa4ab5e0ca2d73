package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.Stream;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.type.MemoryFormat;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s way to other devices, dtypes and orders of memory. What is so already gives another handle on this
 * tensor and takes no memory; else a new tensor, and the gradient comes back converted. Backward keeps nothing.
 */
abstract sealed class TransferMethods extends LikeMethods permits PropertyMethods {

    /**
     * A copy. As {@code torch.clone}.
     *
     * @return a new tensor with these values, whose gradient goes to this one
     */
    @Override
    public Tensor clone() {
        return map(Copies::clone);
    }

    /**
     * This tensor's elements in row-major order: a new handle on it, or a copy. As {@code torch.Tensor.contiguous}.
     *
     * @return another handle on this tensor if it is contiguous, else a new tensor
     */
    public Tensor contiguous() {
        return map(Copies::contiguous);
    }

    /**
     * In that order in memory: a new handle on this tensor if it lies so, or a copy. As
     * {@code torch.Tensor.contiguous}.
     *
     * @param format
     *            row-major, or channels last: of [n, channels, …] the channels side by side
     * @return another handle on this tensor, or a new tensor
     * @throws TensorException
     *             for a format that wants another number of dimensions
     */
    public Tensor contiguous(MemoryFormat format) {
        return map(a -> MemoryOrder.as(a, format));
    }

    /**
     * In that order in memory, as {@link #contiguous(MemoryFormat)}. As {@code torch.Tensor.to}.
     *
     * @param format
     *            row-major, or channels last: of [n, channels, …] the channels side by side
     * @return another handle on this tensor, or a new tensor
     * @throws TensorException
     *             for a format that wants another number of dimensions
     */
    public Tensor to(MemoryFormat format) {
        return map(a -> MemoryOrder.to(a, format));
    }

    /**
     * As another dtype: a new handle on this tensor if it is of that dtype. As {@code torch.Tensor.to}.
     *
     * @param dtype
     *            a fraction is cut off for whole numbers; for bool all but 0 is true
     * @return another handle on this tensor, or a new tensor
     */
    public Tensor to(DType dtype) {
        return map(a -> Copies.to(a, a.device(), dtype));
    }

    /**
     * On another device: a new handle on this tensor if it is there. As {@code torch.Tensor.to}.
     *
     * @param device
     *            any; the copy is waited for
     * @return another handle on this tensor, or a new tensor there
     */
    public Tensor to(Device device) {
        return map(a -> Copies.to(a, device, a.dtype()));
    }

    /**
     * On another device as another dtype. As {@code torch.Tensor.to}.
     *
     * @param device
     *            any; the copy is waited for
     * @param dtype
     *            converted where this lies, in a temporary tensor
     * @return another handle on this tensor, or a new tensor there
     */
    public Tensor to(Device device, DType dtype) {
        return map(a -> Copies.to(a, device, dtype));
    }

    /**
     * On the device and as the dtype of another tensor. As {@code torch.Tensor.to}.
     *
     * @param other
     *            gives device and dtype alone
     * @return another handle on this tensor, or a new tensor there
     */
    public Tensor to(Tensor other) {
        return to(other.device(), other.dtype());
    }

    /**
     * On another device; with nonBlocking, a copy from page-locked memory to a GPU is not waited for: the host must
     * leave the source alone until the stream has passed. As {@code torch.Tensor.to}.
     *
     * @param device
     *            any
     * @param nonBlocking
     *            whether a copy from page-locked memory to a GPU is left to the stream; false by default
     * @return another handle on this tensor, or a new tensor there
     */
    public Tensor to(Device device, boolean nonBlocking) {
        return map(a -> Copies.to(a, device, a.dtype(), nonBlocking));
    }

    /**
     * On the current GPU, or the first one. As {@code torch.Tensor.cuda}.
     *
     * @return another handle on this tensor, or a new tensor there
     */
    public Tensor cuda() {
        return to(gpu());
    }

    /**
     * On the current GPU, or the first one; see {@link #to(Device, boolean)}. As {@code torch.Tensor.cuda}.
     *
     * @param nonBlocking
     *            whether a copy from page-locked memory is left to the stream; false by default
     * @return another handle on this tensor, or a new tensor there
     */
    public Tensor cuda(boolean nonBlocking) {
        return to(gpu(), nonBlocking);
    }

    /**
     * On the CPU. As {@code torch.Tensor.cpu}.
     *
     * @return another handle on this tensor, or a new tensor in host memory
     */
    public Tensor cpu() {
        return to(Device.cpu());
    }

    /**
     * A copy in page-locked host memory, or a new handle on this if it lies there; only of CPU tensors. As
     * {@code torch.Tensor.pin_memory}.
     *
     * @return another handle on this tensor, or a new one in page-locked memory, which the host's caching allocator
     *         gives
     * @throws TensorException
     *             of a tensor on a GPU
     */
    public Tensor pinMemory() {
        return map(a -> Copies.pin(a, gpu()));
    }

    /**
     * As float16. As {@code torch.Tensor.half}.
     *
     * @return another handle on this tensor, or a new one of 2 bytes an element
     */
    public Tensor half() {
        return to(DType.FLOAT16);
    }

    /**
     * As bfloat16. As {@code torch.Tensor.bfloat16}.
     *
     * @return another handle on this tensor, or a new one of 2 bytes an element
     */
    public Tensor bfloat16() {
        return to(DType.BFLOAT16);
    }

    /**
     * As float32. As {@code torch.Tensor.float}.
     *
     * @return another handle on this tensor, or a new one of 4 bytes an element
     */
    public Tensor toFloat() {
        return to(DType.FLOAT32);
    }

    /**
     * As float64. As {@code torch.Tensor.double}.
     *
     * @return another handle on this tensor, or a new one of 8 bytes an element
     */
    public Tensor toDouble() {
        return to(DType.FLOAT64);
    }

    /**
     * As int64. As {@code torch.Tensor.long}.
     *
     * @return another handle on this tensor, or a new one of 8 bytes an element; fractions are cut off
     */
    public Tensor toLong() {
        return to(DType.INT64);
    }

    /**
     * As int32. As {@code torch.Tensor.int}.
     *
     * @return another handle on this tensor, or a new one of 4 bytes an element; fractions are cut off
     */
    public Tensor toInt() {
        return map(a -> Copies.to(a, a.device(), DType.INT32));
    }

    /**
     * As bool. As {@code torch.Tensor.bool}.
     *
     * @return another handle on this tensor, or a new one of 1 byte an element; all but 0 is true
     */
    public Tensor toBool() {
        return map(a -> Copies.to(a, a.device(), DType.BOOL));
    }

    /**
     * In the other's dtype, on its device. As {@code torch.Tensor.type_as}.
     *
     * @param other
     *            whose dtype and device it gets
     * @return another handle on this tensor, or a new tensor
     */
    public Tensor typeAs(Tensor other) {
        return with(other, (a, b) -> Copies.to(a, b.device(), b.dtype()));
    }

    /**
     * Keeps the memory from being reused before what that stream has queued is done. As
     * {@code torch.Tensor.record_stream}.
     *
     * @param stream
     *            another one than that on which this was allocated
     */
    public void recordStream(Stream stream) {
        change(a -> a.storage().recordStream(stream));
    }

    private static Device gpu() {
        return Device.current().isCuda() ? Device.current() : Device.cuda(0);
    }
}
