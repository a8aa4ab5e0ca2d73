package io.vramlab.device.internal.cpu.kernels.cells;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.ElementOp;
import io.vramlab.device.HostAccess;
import io.vramlab.device.InterruptedWorkException;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.internal.cpu.kernels.CpuKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work shared out over threads: every output once, and the same bits however many there are. */
class ParallelTest {

    private static final int COUNT = 1 << 20;

    private final int before = Parallel.cores;

    @AfterEach
    void restoreCores() {
        Parallel.cores = before;
    }

    /** A piece of memory, addressed from 0. */
    private record Memory(MemorySegment segment) implements HostAccess {

        @Override
        public MemorySegment at(long address, long bytes) {
            return segment.asSlice(address, bytes);
        }

        @Override
        public void fault(DeviceFault fault, String detail) {
            throw new AssertionError(detail);
        }
    }

    private static Operand matrix(long index, long rows, long columns) {
        return new Operand(index * COUNT * 4L, DType.FLOAT32, new long[]{rows, columns}, new long[]{columns, 1});
    }

    /** All results of a round of kernels that share out work in different ways. */
    private static float[] results(Arena arena) {
        Memory memory = new Memory(arena.allocate(COUNT * 4L * 8, 64));
        CpuKernels kernels = new CpuKernels(memory);
        Operand x = matrix(0, 1024, 1024);
        Operand y = matrix(1, 1024, 1024);
        kernels.random(RandomOp.NORMAL, x, 0, 1, 1, 0, 0);
        kernels.random(RandomOp.UNIFORM, y, 0, 1, 2, 0, 0);
        kernels.matmul(matrix(2, 1024, 1024), x, y, 1, 0, 0);
        kernels.elementwise(ElementOp.GELU, new double[0], matrix(3, 1024, 1024), new Operand[]{x}, 0);
        kernels.softmax(matrix(4, 1024, 1024), x, 1, true, 0);
        kernels.reduce(ReduceOp.SUM, matrix(5, 1, 1024), x, 0);
        kernels.reduce(ReduceOp.VAR, matrix(6, 1024, 1), x, 0);
        Operand tall = matrix(0, COUNT / 8, 8);
        kernels.reduce(ReduceOp.SUM, new Operand(COUNT * 4L * 7, DType.FLOAT32, new long[]{1, 8}, new long[]{8, 1}),
                tall, 0);
        kernels.reduce(ReduceOp.SUM, new Operand(COUNT * 4L * 7 + 64, DType.FLOAT32, new long[]{1, 1},
                new long[]{1, 1}), x, 0);
        return memory.segment().toArray(ValueLayout.JAVA_FLOAT);
    }

    @Test
    void theNumberOfThreadsDoesNotShowInTheBits() {
        try (Arena arena = Arena.ofShared()) {
            Parallel.cores = 1;
            float[] alone = results(arena);
            for (int cores : new int[]{2, 3, 7}) {
                Parallel.cores = cores;
                assertArrayEquals(alone, results(arena), "cores=" + cores);
            }
        }
    }

    @Test
    void everyOutputIsVisitedOnce() {
        for (int cores : new int[]{1, 2, 5}) {
            for (int count : new int[]{0, 1, 9, 10, 11, 1000, 1003}) {
                Parallel.cores = cores;
                AtomicIntegerArray visits = new AtomicIntegerArray(count);
                Parallel.range(count, 10, (from, to) -> {
                    for (long i = from; i < to; i++) {
                        visits.incrementAndGet((int) i);
                    }
                });
                for (int i = 0; i < count; i++) {
                    assertEquals(1, visits.get(i), "cores=" + cores + " count=" + count + " output " + i);
                }
            }
        }
    }

    @Test
    void anInterruptOfTheCallerEndsTheWorkOfAllThreadsAndStaysVisible() {
        for (int cores : new int[]{1, 2, 5}) {
            Parallel.cores = cores;
            Thread caller = Thread.currentThread();
            AtomicIntegerArray visits = new AtomicIntegerArray(1000);
            assertThrows(InterruptedWorkException.class, () -> Parallel.range(1000, 10, (from, to) -> {
                for (long i = from; i < to; i++) {
                    visits.incrementAndGet((int) i);
                }
                caller.interrupt();
            }));
            assertTrue(Thread.interrupted(), "cores=" + cores);
            int visited = 0;
            for (int i = 0; i < 1000; i++) {
                visited += visits.get(i);
            }
            assertTrue(visited < 1000, visited + " with cores=" + cores);
        }
    }

    @Test
    void workThatAnotherThreadWasToldToStopIsToldWithTheCallersFrames() {
        Parallel.cores = 2;
        Thread caller = Thread.currentThread();
        Throwable thrown = assertThrows(InterruptedWorkException.class, () -> Parallel.range(2, 1, (from, to) -> {
            if (from == 1) {
                caller.interrupt();
                // the caller hears of it while it waits, and then tells this one
                for (long end = System.nanoTime() + 30_000_000_000L; System.nanoTime() < end;) {
                    Interruptible.check();
                    Thread.onSpinWait();
                }
            }
        }));
        Thread.interrupted();
        assertTrue(Stream.of(thrown.getStackTrace()).anyMatch(each -> each.getMethodName().equals("range")
                && each.getClassName().equals(Parallel.class.getName())),
                () -> Arrays.toString(thrown.getStackTrace()));
    }

    @Test
    void workWithinWorkIsEndedByAnInterruptOfTheOutermostCaller() {
        Parallel.cores = 3;
        Thread caller = Thread.currentThread();
        assertThrows(InterruptedWorkException.class, () -> Parallel.range(4, 1, (from, to) -> {
            caller.interrupt();
            AtomicIntegerArray visits = new AtomicIntegerArray(1);
            Parallel.range(1000, 1, (a, b) -> {
                LockSupport.parkNanos(20_000 * (b - a));
                visits.addAndGet(0, (int) (b - a));
            });
            throw new AssertionError("all " + visits.get(0) + " of the inner work were done");
        }));
        assertTrue(Thread.interrupted());
    }

    @Test
    void aFailureOfAnyPieceReachesTheCallerAfterAllHaveStopped() {
        Parallel.cores = 2;
        for (long bad : new long[]{0, 99}) {
            assertThrows(IllegalStateException.class, () -> Parallel.range(100, 10, (from, to) -> {
                if (from <= bad && bad < to) {
                    throw new IllegalStateException("piece from " + from);
                }
            }));
        }
    }
}
