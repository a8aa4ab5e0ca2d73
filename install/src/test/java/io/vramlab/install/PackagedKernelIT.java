package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.vramlab.install.notebook.KernelProcess;
import io.vramlab.install.notebook.NotebookException;
import io.vramlab.install.notebook.Output;
import io.vramlab.kernel.KernelMain;

/** The kernel as it is installed: from the jar, with its agent, which the kernel's own tests run without. */
class PackagedKernelIT {

    private static final Duration CELL = Duration.ofSeconds(60);

    private KernelProcess kernel;

    @BeforeEach
    void aFreshKernel() throws IOException {
        kernel = KernelProcess.start(Installed.kernel(), Checkout.root());
    }

    @AfterEach
    void end() {
        kernel.close();
    }

    private String run(String source) {
        return kernel.execute(source, CELL).stream().map(Output::text).collect(Collectors.joining("\n"));
    }

    @Test
    void aKernelWhosePortIsTakenMeanwhileIsStartedAgain(@TempDir Path folder) throws IOException {
        // the first start finds what a kernel would find; the second is the kernel
        List<String> command = new ArrayList<>(List.of("sh", "-c",
                "if [ -e taken ]; then exec \"$@\"; fi; touch taken; exit " + KernelMain.ADDRESS_TAKEN, "sh"));
        command.addAll(Installed.kernel());
        try (KernelProcess second = KernelProcess.start(command, folder)) {
            assertEquals("2", second.execute("1 + 1", CELL).getFirst().text());
        }
        assertTrue(Files.exists(folder.resolve("taken")));
    }

    @Test
    void aKernelThatEndsForAnotherReasonIsNotStartedAgain(@TempDir Path folder) {
        List<String> command = List.of("sh", "-c", "echo start >> starts; echo no such option; exit 1");
        NotebookException failure = assertThrows(NotebookException.class, () -> KernelProcess.start(command, folder));
        assertEquals("The kernel did not start: no such option", failure.getMessage());
        assertEquals(List.of("start"), assertDoesNotThrow(() -> Files.readAllLines(folder.resolve("starts"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"var kept = new ArrayList<Object>(); while (true) kept.add(new long[1000]);",
            "class Store { static final List<long[]> ALL = new ArrayList<>(); } while (true) Store.ALL.add(new long[1000]);",
            "var tree = new HashMap<Integer, Object>(); for (int i = 0; ; i++) tree.put(i, new int[100]);"})
    void aCellThatFillsTheHeapFailsAndTheNextOneRunsWithCountingToo(String cell, @TempDir Path folder)
            throws IOException {
        try (KernelProcess small = KernelProcess.start(Installed.kernel(), folder,
                Map.of("JDK_JAVA_OPTIONS", "-Xmx160m"))) {
            String told = small.execute(cell, CELL).stream().map(Output::text).collect(Collectors.joining("\n"));
            assertTrue(told.contains("So that the kernel can go on"), told);
            assertEquals("2", small.execute("1 + 1", CELL).getFirst().text());
        }
    }

    @Test
    void aVariableDeclaredThreeTimesHoldsOneTensor() {
        for (int cell = 1; cell <= 3; cell++) {
            run("// cell " + cell + "\nvar a = Tensor.randn(1024, 1024);");
        }
        String tracked = run("%track");
        assertEquals(1, tracked.lines().filter(line -> line.contains("float32[1024, 1024]")).count(), tracked);

        // 1,024 * 1,024 numbers of 4 bytes
        assertEquals("4194304", run("Cuda.memoryAllocated()"));
    }

    @Test
    void aCollectionRunsAfterCellsThatDropTensorsAndAfterNoOthers() {
        String collections = """
                java.lang.management.ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .filter(each -> each.getName().equals("MarkSweepCompact"))
                        .mapToLong(each -> each.getCollectionCount()).sum()""";
        run("%lifetimes java");
        run("var kept = List.of(Tensor.ones(2), Tensor.ones(3));");
        // the kernel tidies up once after its start, and the heap may grow: two of these fifty, not each
        String before = run(collections);
        String after = "";
        for (int cell = 0; !after.equals(before) && cell < 50; cell++) {
            before = after;
            after = run(collections);
        }
        assertEquals(before, after);
        run("{ Tensor dropped = kept.get(0).add(1); }");
        run("kept.size()");
        assertTrue(Long.parseLong(run(collections)) > Long.parseLong(before));
        assertEquals("1024", run("Cuda.memoryAllocated()"));
    }

    @Test
    void aTensorIsMadeInTheCellThatRanLastAndOnItsLine() {
        run("var a = Tensor.ones(8);");
        run("// a line more\nvar a = Tensor.ones(8);");
        String tracked = run("%track");
        assertTrue(tracked.contains("In [2]:2"), tracked);
        run("var a = Tensor.ones(16);");
        tracked = run("%track");
        assertTrue(tracked.contains("In [4]:1"), tracked);
    }

    @Test
    void aClassDeclaredAgainKeepsTheOtherVariables() {
        run("var kept = Tensor.ones(2, 2);\nclass Net { int f() { return 1; } }\nvar net = new Net();");
        run("class Net { int f() { return 2; } }");
        assertEquals("2", run("new Net().f()"));
        assertEquals("4.0", run("kept.sum().item()"));
    }

    @Test
    void anErrorIsFollowedByAWorkingCell() {
        assertTrue(run("int[] none = new int[-1];").contains("-1"));
        assertTrue(run("int broken = ;").length() > 0);
        assertTrue(run("Tensor.empty(1L << 40)").startsWith("CUDA out of memory. Tried to allocate 4096.00 GiB."));
        assertEquals("2", run("1 + 1"));
        assertFalse(run("%memory_summary").isEmpty());
    }

    @Test
    void theSimulatedGpuComputesWithVectors() {
        // 64 * 64 sums of 64 products of 1
        assertEquals("262144.0", run("Tensor.ones(64, 64).matmul(Tensor.ones(64, 64)).sum().item()"));
        assertEquals("true", run("Class.forName(\"jdk.incubator.vector.FloatVector\").getModule().isNamed()"));
    }

    @Test
    void whatALaterCellReplacesIsShownWhereItWas() {
        List<Output> first = kernel.execute("var table = display(\"empty\"); display(\"other\");", CELL);
        kernel.execute("table.update(\"full\");", CELL);
        assertEquals(List.of("full", "other"), first.stream().map(Output::text).toList());
    }
}
