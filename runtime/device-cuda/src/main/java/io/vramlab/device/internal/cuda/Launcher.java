package io.vramlab.device.internal.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.vramlab.device.DeviceException;
import io.vramlab.device.Operand;
import io.vramlab.device.PendingWork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/** Launches kernels of one GPU. Launches return at once; blocks are one-dimensional. */
final class Launcher {

    private final CudaContext context;
    private final ThreadLocal<Arguments> arguments = ThreadLocal.withInitial(Arguments::new);
    private volatile boolean blocking;

    Launcher(CudaContext context) {
        this.context = context;
    }

    void setBlocking(boolean on) {
        blocking = on;
    }

    /** After a launch, a copy or a fill, by whoever made it: waits for it where launches wait. */
    void settle(String what) {
        if (blocking) {
            PendingWork pending = context.status().pending();
            int mark = pending.mark();
            context.status().check(JCudaDriver.cuCtxSynchronize(), what, true);
            pending.done(mark);
        }
    }

    /** Enough blocks for one thread per element, but not more than keep the device busy several times over. */
    long blocks(long elements, int block) {
        long enough = 64L * context.properties().multiProcessorCount();
        return Math.max(1, Math.min((elements + block - 1) / block, enough));
    }

    /** This thread's argument buffer, emptied: fill it and launch before asking again. */
    Arguments arguments() {
        return arguments.get().clear();
    }

    /**
     * Launches a kernel.
     *
     * @param grid
     *            how many blocks, at least 1, along x
     * @param block
     *            threads per block
     */
    void launch(PtxModule.Function f, long grid, int block, long stream, Arguments a) {
        launch(f, grid, 1, 1, block, 0, stream, a);
    }

    /** Launches a kernel over a grid of three dimensions with shared memory. */
    void launch(PtxModule.Function f, long gridX, int gridY, int gridZ, int block, int sharedBytes, long stream,
            Arguments a) {
        context.enter();
        int code = context.calls().launch(f.handle(), Math.toIntExact(gridX), gridY, gridZ, block, sharedBytes, stream,
                a.extra());
        if (code != CudaStatus.SUCCESS) {
            context.status().check(code, "Launching " + f.name(), blocking);
        }
        settle(f.name());
    }

    /** A kernel's arguments as one packed buffer, laid out as C lays out a structure. */
    static final class Arguments {

        private static final int CAPACITY = 4096;
        private static final int VIEW_RANK = 8;
        private static final int VIEW_BYTES = 8 + 4 + 4 + 4 * VIEW_RANK + 8 * VIEW_RANK;
        private static final long BUFFER_POINTER = 1;
        private static final long BUFFER_SIZE = 2;

        private final Arena arena = Arena.ofAuto();
        private final MemorySegment buffer = arena.allocate(CAPACITY, 16);
        private final MemorySegment size = arena.allocate(JAVA_LONG);
        private final MemorySegment extra = arena.allocate(ADDRESS, 5);
        private long position;

        Arguments() {
            extra.setAtIndex(JAVA_LONG, 0, BUFFER_POINTER);
            extra.setAtIndex(ADDRESS, 1, buffer);
            extra.setAtIndex(JAVA_LONG, 2, BUFFER_SIZE);
            extra.setAtIndex(ADDRESS, 3, size);
            extra.setAtIndex(JAVA_LONG, 4, 0);
        }

        Arguments clear() {
            position = 0;
            return this;
        }

        Arguments add(long value) {
            position = (position + 7) & ~7L;
            buffer.set(JAVA_LONG, position, value);
            position += 8;
            return this;
        }

        Arguments add(int value) {
            position = (position + 3) & ~3L;
            buffer.set(JAVA_INT, position, value);
            position += 4;
            return this;
        }

        Arguments add(double value) {
            return add(Double.doubleToRawLongBits(value));
        }

        Arguments add(float value) {
            return add(Float.floatToRawIntBits(value));
        }

        /** An operand as the kernels' {@code View}, with its dimensions in their own order. */
        Arguments add(Operand operand) {
            return add(operand, operand.shape(), operand.strides());
        }

        /** An operand with other sizes and strides over the same memory. */
        Arguments add(Operand operand, long[] shape, long[] strides) {
            position = (position + 7) & ~7L;
            buffer.set(JAVA_LONG, position, operand.address());
            buffer.set(JAVA_INT, position + 8, operand.dtype().ordinal());
            int rank = 0;
            for (int d = 0; d < shape.length; d++) {
                if (shape[d] == 1) {
                    continue;
                }
                boolean merges = rank > 0 && stride(rank - 1) == strides[d] * shape[d]
                        && size(rank - 1) * shape[d] < 1L << 31;
                if (!merges && rank == VIEW_RANK) {
                    throw new DeviceException("A tensor whose " + shape.length
                            + " dimensions do not merge into 8 was given to a kernel; make it contiguous first.");
                }
                rank = merges ? rank : rank + 1;
                buffer.set(JAVA_INT, position + 16 + 4L * (rank - 1),
                        Math.toIntExact(merges ? size(rank - 1) * shape[d] : shape[d]));
                buffer.set(JAVA_LONG, position + 48 + 8L * (rank - 1), strides[d]);
            }
            if (rank == 0) {
                rank = 1;
                buffer.set(JAVA_INT, position + 16, 1);
                buffer.set(JAVA_LONG, position + 48, 1);
            }
            buffer.set(JAVA_INT, position + 12, rank);
            position += VIEW_BYTES;
            return this;
        }

        private long size(int d) {
            return buffer.get(JAVA_INT, position + 16 + 4L * d);
        }

        private long stride(int d) {
            return buffer.get(JAVA_LONG, position + 48 + 8L * d);
        }

        /** An operand, or an empty place where there is none. */
        Arguments addOrNone(Operand operand) {
            if (operand != null) {
                return add(operand);
            }
            position = ((position + 7) & ~7L) + VIEW_BYTES;
            return this;
        }

        private MemorySegment extra() {
            size.set(JAVA_LONG, 0, position);
            return extra;
        }
    }
}
