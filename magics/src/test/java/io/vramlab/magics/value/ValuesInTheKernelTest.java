package io.vramlab.magics.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.LiveNotebook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tensors as cells show them, one by one and among others. */
class ValuesInTheKernelTest {

    private static LiveNotebook notebook;

    @BeforeAll
    static void start() throws Exception {
        notebook = new LiveNotebook();
        notebook.ok("%device 256MiB");
        notebook.ok("var few = Tensor.of(1f, 2.5f);\nvar many = Tensor.ones(30, 40);");
    }

    @AfterAll
    static void stop() throws Exception {
        notebook.close();
    }

    @Test
    void aTensorIsShownAsItIsPrinted() {
        LiveNotebook.Result shown = notebook.ok("many");
        assertEquals(notebook.ok("System.out.print(many);").out(), shown.last());
        assertTrue(shown.html().getFirst().contains("<b>Tensor</b> float32[30, 40] · "), shown.html().toString());
    }

    @Test
    void inAListAndAMapLargeTensorsAreNamedAndSmallOnesShown() {
        String device = notebook.ok("many.device().name()").last();
        String small = "tensor([1.0000, 2.5000], device='" + device + "')";
        String large = "Tensor(float32[30, 40] on " + device + ")";
        assertEquals("[" + small + ", " + large + "]", notebook.ok("List.of(few, many)").last());
        assertEquals("[[" + large + "]]", notebook.ok("List.of(List.of(many))").last());
        assertEquals("Tensor[1] {" + large + "}", notebook.ok("new Tensor[]{many}").last());
        LiveNotebook.Result map = notebook.ok("Map.of(\"w\", many)");
        assertEquals("{w=" + large + "}", map.last());
        assertTrue(map.html().getFirst().contains(">" + large + "</td>"), map.html().toString());
        assertTrue(notebook.ok("%who").last().lines().anyMatch(line -> line.endsWith(large)));
    }

    @Test
    void aCellThatShowsATensorLeavesTheFiguresAsTheyWere() {
        notebook.ok("var figures = Cuda.memoryStats();");
        notebook.ok("many.t()").last();
        notebook.ok("many");
        assertEquals("true", notebook.ok("figures.equals(Cuda.memoryStats())").last());
    }
}
