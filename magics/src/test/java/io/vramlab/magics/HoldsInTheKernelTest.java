package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every way in which a notebook keeps memory alive, made by cells of a real kernel. */
class HoldsInTheKernelTest extends InOneKernel {

    @BeforeEach
    void aTensorOnAFreshGpu() {
        notebook.ok("%device 1GiB");
        notebook.ok("Tensor t = Tensor.zeros(1024, 1024);");
    }

    @AfterEach
    void nothingIsLeft() {
        notebook.ok("%del t");
    }

    /** The column of paths, quoted: {@code [t, list[0]]}. */
    private static String paths(String name) {
        return notebook.ok("((Table) magic(\"holds\", \"" + name + "\")).stringColumn(\"path\").asList()").last();
    }

    @Test
    void anAlias() {
        notebook.ok("Tensor alias = t;");
        assertEquals("[t, alias]", paths("t"));
        notebook.ok("%del alias");
        assertEquals("[t]", paths("t"));
    }

    @Test
    void anElementOfAListAndAValueOfAMap() {
        notebook.ok("var list = new ArrayList<Tensor>(List.of(t));\nvar map = new HashMap<String, Tensor>();\n"
                + "map.put(\"best\", t);");
        assertEquals("[t, list[0], map[\"best\"]]", paths("t"));
        notebook.ok("%del list map");
    }

    @Test
    void aCapturedLambda() {
        notebook.ok("java.util.function.Supplier<Tensor> capture(Tensor x) { return () -> x; }");
        notebook.ok("var lambda = capture(t);");
        assertEquals("[t, lambda.captured[0]]", paths("t"));
        notebook.ok("%del lambda");
    }

    @Test
    void aFieldOfAClassOfTheUser() {
        notebook.ok("class Trainer { Tensor last = t; }\nvar trainer = new Trainer();");
        assertEquals("[t, trainer.last]", paths("t"));
        notebook.ok("%del trainer");
    }

    @Test
    void aTensorSavedByTheGraph() {
        notebook.ok("var loss = Tensor.ones(1000).requiresGrad_(true).mul(2).relu().sum();");
        assertEquals("[loss.gradFn saved by relu]", paths("\\\"loss.gradFn saved by relu\\\""));
        notebook.ok("%del loss");
        assertFalse(notebook.ok("%track").last().contains("relu"));
    }

    @Test
    void theStateOfAnOptimizer() {
        notebook.ok("""
                var net = new Sequential(new Linear(64, 32), new ReLU(), new Linear(32, 1));
                var adam = new Adam(net.parameters(), 0.1);
                net.call(Tensor.ones(8, 64)).sum().backward();
                adam.step();""");
        assertEquals("[adam.state[1].exp_avg]", paths("adam.state[1].exp_avg"));
        assertEquals("[adam.params[1], net.0.bias]", paths("net.0.bias"));
        notebook.ok("%del net adam");
    }

    @Test
    void theOldClassOfAVariableWhileItIsDeclaredAnew() {
        notebook.ok("var u = Tensor.ones(10);");
        String names = notebook
                .ok("var u = ((Table) magic(\"track\")).stringColumn(\"variable\").asList().toString();\nu").last();
        assertTrue(names.matches("\\[t, u of In \\[\\d+\\]\\]"), names);
        assertFalse(notebook.ok("%track").last().contains("float32[10]"));
    }

    @Test
    void aPinnedBatchInALoadersQueue() throws InterruptedException {
        notebook.ok("""
                var samples = new TensorDataset(Tensor.ones(64, 16).cpu());
                var batches = new DataLoader(samples, 8).pinMemory(true).numWorkers(1).prefetchFactor(2).iterator();
                var first = batches.next();""");
        String paths = "";
        for (int i = 0; i < 200 && !paths.contains("ahead[1]"); i++) {
            Thread.sleep(50);
            paths = paths("batches");
        }
        assertTrue(paths.contains("batches.ahead[0].get().tensors[0], batches.ahead[1].get().tensors[0]"), paths);
        notebook.ok("for (var batch : (Iterable<Batch>) () -> batches) { batch.close(); }");
        notebook.ok("%del batches samples first");
    }

    @Test
    void aStaticFieldOfAClassThatHasNoInstance() {
        notebook.ok("class Cache { static Tensor best; static final List<Tensor> all = new ArrayList<>(); }");
        notebook.ok("{ Cache.best = t; Cache.all.add(t); }");
        assertEquals("[t, Cache.best, Cache.all[0]]", paths("t"));
        notebook.ok("%del t");
        assertTrue(notebook.ok("%track").last().contains("Cache.best  Other  float32[1024, 1024]"));
        notebook.ok("Cache.best = null;\nCache.all.clear();");
        assertTrue(notebook.ok("%track").last().contains("0 tensors"));
        notebook.ok("Tensor t = null;");
    }

    @Test
    void aStaticFieldOfADeclarationThatWasReplaced() {
        notebook.ok("class Store { static Tensor kept; }");
        notebook.ok("{ Store.kept = t; }\nObject ofTheFormer = new Store();");
        notebook.ok("class Store { static Tensor kept; int more; }");
        String paths = paths("t");
        assertEquals("[t, Store.kept]", paths);
        notebook.ok("%del ofTheFormer");
    }

    @Test
    void aStaticInitialiserIsNotRunByLooking() {
        notebook.ok("class Lazy { static { System.out.println(\"ran\"); } static Tensor made = Tensor.zeros(10); }");
        assertFalse(notebook.ok("Class<?> named = Lazy.class;\nmagic(\"holds\", \"t\");").out().contains("ran"));
        assertEquals("[t]", paths("t"));
        assertEquals("ran\n", notebook.ok("var made = Lazy.made;").out());
        assertTrue(notebook.ok("%track").last().contains("made  "));
        notebook.ok("Lazy.made = null;\n%del made");
    }
}
