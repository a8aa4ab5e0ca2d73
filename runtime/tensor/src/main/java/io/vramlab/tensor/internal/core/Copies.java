package io.vramlab.tensor.internal.core;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Copies: clone, contiguous, between dtypes, between devices. */
public final class Copies {

    private Copies() {
    }

    /** Copies {@code source} into {@code target}, which the caller holds; lets it go on failure. */
    public static TensorImpl fill(TensorImpl target, TensorImpl source) {
        return Launch.run(ElementOp.COPY, Launch.NONE, target, source);
    }

    public static TensorImpl clone(TensorImpl a) {
        if (a.isSparse()) {
            return SparseSums.cloned(a);
        }
        TensorImpl out = fill(TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.like(a)), a);
        if (Graph.wanted(a)) {
            Graph.recordUnary("CloneBackward0", out, a, (n, g) -> g.retain());
        }
        return out;
    }

    /** The tensor itself, held once more, or a row-major copy. */
    public static TensorImpl contiguous(TensorImpl a) {
        if (a.isContiguous()) {
            return a.retain();
        }
        TensorImpl out = fill(TensorImpl.empty(a.device(), a.dtype(), a.shape()), a);
        if (Graph.wanted(a)) {
            Graph.recordUnary("CloneBackward0", out, a, (n, g) -> g.retain());
        }
        return out;
    }

    /** The tensor itself, held once more, or a copy of that dtype on that device. */
    public static TensorImpl to(TensorImpl a, Device device, DType dtype) {
        return to(a, device, dtype, false);
    }

    /** As above; with nonBlocking, a copy from page-locked memory to a device is not waited for. */
    public static TensorImpl to(TensorImpl a, Device device, DType dtype, boolean nonBlocking) {
        if (a.device() == device && a.dtype() == dtype) {
            return a.retain();
        }
        TensorImpl out = transfer(a, device, dtype, nonBlocking);
        if (Graph.wanted(a)) {
            Device from = a.device();
            DType was = a.dtype();
            Graph.recordUnary("ToCopyBackward0", out, a, (n, g) -> to(g, from, was));
        }
        return out;
    }

    private static TensorImpl transfer(TensorImpl a, Device device, DType dtype, boolean nonBlocking) {
        if (a.isSparse()) {
            return SparseSums.to(a, device, dtype);
        }
        if (a.device() == device) {
            return fill(TensorImpl.emptyStrided(device, dtype, a.shape(), Strides.like(a)), a);
        }
        TensorImpl target = TensorImpl.emptyStrided(device, dtype, a.shape(), Strides.like(a));
        try {
            copyAcross(target, a, nonBlocking);
        } catch (RuntimeException e) {
            target.release();
            throw e;
        }
        return target;
    }

    /** Writes {@code source} into {@code target}, wherever the two are; shapes are equal. */
    public static void copyAcross(TensorImpl target, TensorImpl source, boolean nonBlocking) {
        if (target.device() == source.device()) {
            Launch.into(ElementOp.COPY, Launch.NONE, target, source);
            return;
        }
        // as PyTorch: conversion and reordering happen in temporaries, the bytes travel as they are
        try (Temps t = new Temps()) {
            TensorImpl from = source;
            boolean direct = Arrays.equals(target.strides(), source.strides()) && source.isDense();
            if (from.dtype() != target.dtype()) {
                from = t.own(Launch.unary(ElementOp.COPY, from, target.dtype()));
            }
            TensorImpl to = target;
            if (!direct) {
                if (!from.isContiguous()) {
                    from = t.own(fill(TensorImpl.empty(from.device(), from.dtype(), from.shape()), from));
                }
                if (!to.isContiguous()) {
                    to = t.own(TensorImpl.empty(to.device(), to.dtype(), to.shape()));
                }
            }
            HostCopy.bytes(to, from, nonBlocking);
            if (to != target) {
                Launch.into(ElementOp.COPY, Launch.NONE, target, to);
            }
        }
    }

    /** A copy in page-locked host memory, or the tensor itself, held once more, if it lies there. */
    public static TensorImpl pin(TensorImpl a, Device gpu) {
        if (a.storage().isPinned()) {
            return a.retain();
        }
        if (a.device().isCuda()) {
            throw new TensorException("pinMemory was asked of " + a.describe()
                    + ": only dense CPU tensors can be pinned. Call it before moving the tensor to a device.");
        }
        long[] strides = Strides.preserving(a);
        TensorImpl out = new TensorImpl(Storage.pinned(gpu, Shape.bytes(a.shape(), a.dtype())), a.dtype(), a.shape(),
                strides, 0);
        return fill(out, a);
    }

    /** Reads the first {@code count} elements of a contiguous tensor as they lie. */
    public static MemorySegment read(TensorImpl a, long count, Arena arena) {
        MemorySegment host = arena.allocate(Math.max(count * a.dtype().bytes(), 1), 8).asSlice(0,
                count * a.dtype().bytes());
        if (count > 0) {
            a.driver().copyToHost(host, a.operand().address(), a.stream());
            a.driver().synchronizeStream(a.stream());
        }
        return host;
    }
}
