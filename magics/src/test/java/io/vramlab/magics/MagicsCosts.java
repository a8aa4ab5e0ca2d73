package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.Outcome;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.TableRenderer;
import io.vramlab.magics.track.Tracking;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.LiveTensors;
import io.vramlab.tensor.Tensor;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * What the magics cost on this machine. Its name keeps it out of a build; run it with
 * {@code mvn -pl magics -am test -Dtest=MagicsCosts -Dsurefire.failIfNoSpecifiedTests=false}. The contestants take turns, the time
 * is the thread's own on a processor, and medians are printed, so that a busy machine matters little.
 */
class MagicsCosts extends OnAFreshGpu {

    private static final int ROUNDS = 9;
    private static final int PAIRS = 10_000;

    /** A class as a cell's: its file is {@code In [1]}, and its method runs what it is given, on line 3. */
    private static final class Cells extends ClassLoader {

        Cells() {
            super(MagicsCosts.class.getClassLoader());
        }

        LongSupplier around(LongSupplier body) throws ReflectiveOperationException {
            ClassDesc supplier = ClassDesc.of(LongSupplier.class.getName());
            byte[] bytes = ClassFile.of().build(ClassDesc.of("CellOne"), type -> type
                    .with(SourceFileAttribute.of("In [1]"))
                    .withMethodBody("do_it$", MethodTypeDesc.of(ConstantDescs.CD_long, supplier),
                            ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> code.lineNumber(3).aload(0)
                                    .invokeinterface(supplier, "getAsLong", MethodTypeDesc.of(ConstantDescs.CD_long))
                                    .lreturn()));
            var method = defineClass("CellOne", bytes, 0, bytes.length).getMethod("do_it$", LongSupplier.class);
            return () -> {
                try {
                    return (long) method.invoke(null, body);
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            };
        }
    }

    /** Of this thread: what others do on the machine counts little. */
    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private long allocatorPairs() {
        Allocator allocator = Allocators.of(Device.current());
        long start = cpuTime();
        for (int i = 0; i < PAIRS; i++) {
            allocator.free(allocator.allocate(1024, 0));
        }
        return cpuTime() - start;
    }

    private long tensorPairs() {
        long start = cpuTime();
        for (int i = 0; i < PAIRS; i++) {
            Tensor.empty(256).close();
        }
        return cpuTime() - start;
    }

    private double[] compare(String what, LongSupplier body) throws ReflectiveOperationException {
        LongSupplier cell = new Cells().around(body);
        List<Runnable> states = List.of(() -> {
            Tracking.of(session).stop();
            LiveTensors.recordSites(false);
        }, () -> {
            Tracking.of(session).stop();
            LiveTensors.recordSites(true);
        }, () -> {
            LiveTensors.recordSites(true);
            Tracking.of(session).start();
            Tracking.of(session).all().forEach(f -> f.log().linesOfFrees(false));
        }, () -> {
            LiveTensors.recordSites(true);
            Tracking.of(session).start();
            Tracking.of(session).all().forEach(f -> f.log().linesOfFrees(true));
        });
        long[][] times = new long[states.size()][ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int s = 0; s < states.size(); s++) {
                states.get(s).run();
                times[s][round] = cell.getAsLong();
            }
        }
        double[] nanos = Arrays.stream(times).mapToDouble(t -> Arrays.stream(t).sorted().toArray()[ROUNDS / 2])
                .map(t -> t / PAIRS).toArray();
        System.out.printf(
                "%-10s pair: nothing on %,.0f ns; sites of tensors %,.0f ns; tracking %,.0f ns; %%%%track %,.0f ns%n",
                what, nanos[0], nanos[1], nanos[2], nanos[3]);
        System.out.printf("%-10s added by tracking per event: %,.0f ns; by %%%%track: %,.0f ns%n", "",
                (nanos[2] - nanos[1]) / 2, (nanos[3] - nanos[1]) / 2);
        return nanos;
    }

    @Test
    void trackingPerEvent() throws ReflectiveOperationException {
        compare("allocator", this::allocatorPairs);
        compare("tensor", this::tensorPairs);
    }

    @Test
    void theTableAfterACell() {
        List<Tensor> tensors = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            tensors.add(Tensor.empty(256));
        }
        session.put("tensors", "List", tensors);
        AfterCell listener = new AfterCell();
        Tracking.of(session).start();
        Tracking.of(session).reporting(true);
        long[] times = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            Cell cell = new Cell(round, "cell");
            listener.cellStarted(cell, session);
            tensors.add(Tensor.empty(256));
            long start = cpuTime();
            listener.cellFinished(cell, new Outcome(null, null, 1), session);
            new TableRenderer().render((ReportTable) session.displayed().getLast());
            times[round] = cpuTime() - start;
        }
        tell("table after a cell, 10,000 live tensors", times);
    }

    @Test
    void theMapOfManyBlocks() throws Exception {
        List<Tensor> tensors = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            tensors.add(Tensor.empty(256 + i % 7 * 4096));
        }
        session.put("tensors", "List", tensors);
        for (int i = 0; i < tensors.size(); i += 3) {
            tensors.get(i).close();
        }
        long[] times = new long[ROUNDS];
        int size = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = cpuTime();
            size = new TableRenderer().render((ReportTable) Magics.run("memory_map", "", session)).get("text/html")
                    .length();
            times[round] = cpuTime() - start;
        }
        tell("%memory_map of 20,000 blocks, " + size / 1000 + " KB", times);
        tensors.forEach(Tensor::close);
    }

    private static void tell(String what, long[] times) {
        Arrays.sort(times);
        System.out.printf("%s: median %.1f ms, slowest %.1f ms%n", what, times[times.length / 2] / 1e6,
                times[times.length - 1] / 1e6);
    }
}
