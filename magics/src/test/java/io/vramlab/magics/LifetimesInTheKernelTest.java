package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.LiveNotebook;
import io.vramlab.memory.Cuda;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After {@code %lifetimes python}, cells let go of tensors when Python would. */
class LifetimesInTheKernelTest {

    private LiveNotebook notebook;
    /** The tensor of before. */
    private long base;

    @BeforeEach
    void start() throws Exception {
        notebook = new LiveNotebook();
        notebook.ok("%device 1GiB");
        notebook.ok("var before = Tensor.ones(128);");
        base = allocated();
        notebook.ok("%lifetimes python");
    }

    @AfterEach
    void stop() throws Exception {
        notebook.ok("%lifetimes java");
        notebook.close();
    }

    private long allocated() {
        return Long.parseLong(notebook.ok("Cuda.memoryAllocated()").last());
    }

    /** In tensors of 512 bytes. */
    private long tensors() {
        return (allocated() - base) / 512;
    }

    @Test
    void theUnnamedAndTheReplacedGoWithinTheCell() {
        assertEquals(base + 1024 + "\n", notebook.ok("""
                var x = Tensor.ones(128).add(1).mul(2);
                for (int i = 0; i < 5; i++) x = x.add(1).mul(0.5);
                Tensor twice(Tensor t) { var y = t.add(t); return y; }
                x = twice(twice(x));
                var y = x.add(before);
                System.out.println(Cuda.memoryAllocated());""").out());
        assertEquals(2, tensors());
        notebook.ok("var x = Tensor.ones(128);\ny = null;");
        assertEquals(1, tensors());
    }

    @Test
    void anUnnamedResultLivesForOneCellMore() {
        notebook.ok("Tensor.ones(128).add(1)");
        assertEquals(1, tensors());
        assertEquals(0, tensors());
    }

    @Test
    void whatDependsOnAForgottenVariableKeepsItsValue() {
        notebook.ok("var a = Tensor.ones(128);\nvar b = a.add(1);\nTensor c = b.add(1);");
        notebook.ok("%del a");
        assertEquals("256.0", notebook.ok("b.sum().item()").last());
        notebook.ok("%del b");
        assertEquals("384.0", notebook.ok("c.sum().item()").last());
        assertEquals(1, tensors());
    }

    @Test
    void aClassDeclaredAgainKeepsWhatItsVariablesHold() {
        notebook.ok(
                "class Holder { Tensor t = Tensor.ones(128); Tensor twice() { return t.mul(2); } }\nvar h = new Holder();");
        assertEquals("256.0", notebook.ok("h.twice().sum().item()").last());
        notebook.ok("int f() { return 1; }");
        notebook.ok("int f() { return g(); }\nint g() { return 2; }");
        assertEquals("256.0", notebook.ok("h.twice().sum().item()").last());
        assertEquals(1, tensors());
        notebook.ok("h = null;");
        assertEquals(0, tensors());
    }

    @Test
    void aMethodTooLargeToCountIsLeftToTheCollector() {
        String many = "all.add(one(all, 1).add(all.get(0)));\n".repeat(700);
        notebook.ok("""
                Tensor one(ArrayList<Tensor> all, int n) { return Tensor.ones(128).mul(n); }
                int large(ArrayList<Tensor> all) {
                    all.add(one(all, 1));
                %s    return all.size();
                }
                var all = new ArrayList<Tensor>();""".formatted(many));
        assertEquals("701", notebook.ok("large(all)").last());
        assertEquals("256.0", notebook.ok("all.get(700).sum().item()").last());
        assertEquals(701, tensors());
    }

    @Test
    void whatWasThereBeforeIsTheCollectors() {
        notebook.ok("before.add_(1);\nvar again = before;\nagain = null;");
        assertEquals("256.0", notebook.ok("before.sum().item()").last());
    }

    @Test
    void aFailingCellLetsGoOfWhatItHeld() {
        assertTrue(
                notebook.run("var kept = Tensor.ones(128);\nkept.add(1).matmul(Tensor.ones(3, 3));").error() != null);
        assertEquals(1, tensors());
    }

    @Test
    void aCellThatCallsNothingWithObjectsLetsGoOfWhatAFailingMethodHeld() {
        notebook.ok("void step() { var x = Tensor.ones(128); throw new IllegalStateException(x.describe()); }");
        assertTrue(notebook.run("step();").error() != null);
        // told by the allocator at once: the next cell would have the collector look
        assertEquals(base, Cuda.memoryAllocated());
    }

    @Test
    void aLoopOfTrainingHoldsOneStep() {
        notebook.ok("""
                class Net extends Module {
                    Linear a = new Linear(64, 256), b = new Linear(256, 64);
                    public Tensor forward(Tensor x) {
                        x = a.call(x);
                        x = x.relu();
                        return b.call(x);
                    }
                }
                var net = new Net();
                var optimizer = new SGD(net.parameters(), 0.1);
                var x = Tensor.randn(32, 64);
                var peaks = new ArrayList<Long>();
                for (int i = 0; i < 6; i++) {
                    Cuda.resetPeakMemoryStats();
                    var loss = net.call(x).sub(x).pow(2).mean();
                    loss.backward();
                    optimizer.step();
                    optimizer.zeroGrad();
                    peaks.add(Cuda.maxMemoryAllocated());
                }""");
        // the first step finds no former loss
        assertEquals("1", notebook.ok("peaks.stream().skip(1).distinct().count()").last());
    }

    /** Cells 1 to 4 are the set-up. */
    @Test
    void whatTheCollectorHadToFreeIsNamedWithWhereItWasMadeAndWhichLineLetItEscape() {
        notebook.ok("%track on");
        // two of 256 x 1024 float32
        String cell = notebook.ok("""
                var pair = new Tensor[]{Tensor.ones(256, 1024), Tensor.ones(256, 1024)};
                var copied = Arrays.copyOf(pair, 2);
                pair = null;
                copied = null;""").last();
        // not the sum above the rows: the notebooks of the tests before, in this same JVM, may be collected now
        assertTrue(cell.contains("The collector had to free: "), cell);
        assertTrue(
                cell.contains("2 × float32[256, 1024] on cuda:0  2,097,152  2.00 MiB  In [6]:1  escaped at In [6]:2"),
                cell);
        notebook.ok("%track off");

        String all = notebook.ok("%track --collected").last();
        assertTrue(all.contains("2 × float32[256, 1024] on cuda:0  2,097,152  2.00 MiB"), all);
        assertTrue(all.contains("In [6]:1"), all);
        assertTrue(all.contains("escaped at In [6]:2, handed to Arrays.copyOf: var copied = Arrays.copyOf(pair, 2);"),
                all);
    }

    @Test
    void whatLivesOnBecauseCountingWasOffSaysSo() {
        notebook.ok("%lifetimes java");
        notebook.ok("var x = Tensor.ones(256);\nx = null;");
        String all = notebook.ok("%track --collected").last();
        assertTrue(all.lines().anyMatch(row -> row.startsWith("float32[256] ") && row.contains("counting was off")),
                all);
    }

    @Test
    void nothingIsNamedWhereCountingFreedAll() {
        notebook.ok("var x = Tensor.ones(257).add(1);\nx = null;");
        String all = notebook.ok("%track --collected").last();
        assertTrue(all.startsWith("The collector had to free: ") && !all.contains("[257]"), all);
    }
}
