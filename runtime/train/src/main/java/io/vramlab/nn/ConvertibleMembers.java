package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.MemoryFormat;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What moves or converts all of a module, member after member. */
abstract sealed class ConvertibleMembers extends StoredMembers permits Module {

    /**
     * Moves parameters, gradients and buffers to a device, one after the other, inner modules first.
     *
     * <p>
     * One after the other: for a moment a member is in both places, the sum never. Optimizers keep working, as the
     * parameters stay the same objects.
     *
     * @param device
     *            where the members are afterwards
     * @return this
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room; what was moved until then stays there
     */
    public Module to(Device device) {
        return convert(t -> t.to(device));
    }

    /**
     * Converts the floating point members.
     *
     * <p>
     * One after the other: for a moment a member exists in both dtypes.
     *
     * @param dtype
     *            a floating type; integer members stay as they are
     * @return this
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room; what was converted until then stays so
     */
    public Module to(DType dtype) {
        return convert(t -> t.dtype().isFloatingPoint() ? t.to(dtype) : t);
    }

    /**
     * Lays members of 4 (or 5) dimensions out in that order.
     *
     * @param format
     *            for instance {@code CHANNELS_LAST}, which concerns members of 4 dimensions; with
     *            {@code CHANNELS_LAST_3D} those of 5
     * @return this
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room; what was laid out until then stays so
     */
    public Module to(MemoryFormat format) {
        int rank = format == MemoryFormat.CHANNELS_LAST_3D ? 5 : 4;
        return convert(t -> t.dim() == rank ? t.to(format) : t);
    }

    /**
     * As that dtype, whole numbers too, which {@link #to(DType)} leaves.
     *
     * @param dtype
     *            of all parameters and buffers afterwards; of whole numbers only where no parameter wants a gradient
     * @return this
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room; what was converted until then stays so
     */
    public final Module type(DType dtype) {
        return convert(t -> t.to(dtype));
    }

    /**
     * To a device without the values: what {@code to_empty} is for, weights that are loaded afterwards.
     *
     * @param device
     *            where the members are afterwards; uninitialized, on whatever device they were
     * @return this
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room; what was made until then stays
     */
    public final Module toEmpty(Device device) {
        return toEmpty(device, true);
    }

    /**
     * To a device without the values.
     *
     * @param device
     *            where the members are afterwards; uninitialized, on whatever device they were
     * @param recurse
     *            false for the members of this module alone
     * @return this
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room; what was made until then stays
     */
    public final Module toEmpty(Device device, boolean recurse) {
        return convert(t -> Tensor.wrap(
                TensorImpl.emptyStrided(device, t.dtype(), t.impl().shape(), Strides.like(t.impl()))), recurse);
    }

    /**
     * Nothing: all threads of a program share its memory here, which PyTorch's {@code share_memory} does for processes. On a GPU
     * it does nothing there either.
     *
     * @return this
     */
    public final Module shareMemory() {
        return (Module) this;
    }

    /**
     * To the current GPU, or the first.
     *
     * @return this
     * @throws io.vramlab.device.DeviceException
     *             if there is no GPU
     */
    public final Module cuda() {
        return to(Device.current().isCuda() ? Device.current() : Device.cuda(0));
    }

    /**
     * To the CPU.
     *
     * @return this
     */
    public final Module cpu() {
        return to(Device.cpu());
    }

    /**
     * As float16.
     *
     * @return this
     */
    public final Module half() {
        return to(DType.FLOAT16);
    }

    /**
     * As bfloat16.
     *
     * @return this
     */
    public final Module bfloat16() {
        return to(DType.BFLOAT16);
    }

    /**
     * As float32.
     *
     * @return this
     */
    public final Module toFloat() {
        return to(DType.FLOAT32);
    }

    /**
     * As float64.
     *
     * @return this
     */
    public final Module toDouble() {
        return to(DType.FLOAT64);
    }

    private Module convert(UnaryOperator<Tensor> conversion) {
        return convert(conversion, true);
    }

    private Module convert(UnaryOperator<Tensor> conversion, boolean recurse) {
        try (GradMode.State off = GradMode.enter(false)) {
            convert(conversion, recurse, identitySet(), identitySet());
        }
        return (Module) this;
    }

    /** PyTorch's order: the modules inside first, then the own parameters, then the own buffers. */
    private void convert(UnaryOperator<Tensor> conversion, boolean recurse, Set<Tensor> seen, Set<Module> visited) {
        if (!visited.add((Module) this)) {
            return;
        }
        if (recurse) {
            children().forEach(m -> ((ConvertibleMembers) m).convert(conversion, true, seen, visited));
        }
        Members.of((Module) this, Parameter.class).values().stream().filter(seen::add).forEach(p -> {
            replace(p, conversion);
            try (Tensor grad = p.grad()) {
                if (grad != null) {
                    replace(grad, conversion);
                }
            }
        });
        Members.of((Module) this, Buffer.class).values().stream().filter(seen::add)
                .forEach(b -> replace(b, conversion));
        converted();
    }

    /** Called when the own members were moved or converted. */
    void converted() {
        // most need nothing more
    }

    private static void replace(Tensor t, UnaryOperator<Tensor> conversion) {
        Tensor converted = conversion.apply(t);
        if (converted != t) {
            try (converted) {
                t.setData(converted);
            }
        }
    }
}
