package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrackMagicTest extends OnAFreshGpu {

    @Test
    void aTensorIsListedWithItsVariableFormAndBytes() throws Exception {
        Tensor a = Tensor.zeros(1024, 1024);
        session.put("a", "Tensor", a);
        ReportTable report = run("track", "");
        assertEquals(1, report.rowCount());
        assertEquals("a", report.stringColumn("variable").get(0));
        assertEquals("float32[1024, 1024]", report.stringColumn("tensor").get(0));
        assertEquals(4 * MIB, report.longColumn("bytes").getLong(0));
        assertEquals("variable", report.stringColumn("held by").get(0));
        assertTrue(
                report.notes().get(0).startsWith("1 tensor, 4.00 MiB (4,194,304 bytes) asked for; allocated 4.00 MiB"),
                report.notes().toString());
        a.close();
        assertEquals(0, run("track", "").rowCount());
    }

    @Test
    void collectionsFieldsAndGradientsGiveNames() throws Exception {
        Tensor x = Tensor.zeros(256).requiresGrad_(true);
        Tensor y = x.mul(x).sum();
        y.backward();
        List<Tensor> batch = new ArrayList<>(List.of(Tensor.zeros(512), Tensor.zeros(512)));
        session.put("x", "Tensor", x).put("batch", "List<Tensor>", batch).put("m", "Map",
                Map.of("<img src=x onerror=alert(1)>", Tensor.zeros(1)));
        List<String> names = run("track", "--each --sort name").stringColumn("variable").asList();
        assertTrue(names.containsAll(List.of("batch[0]", "batch[1]", "x", "x.grad")), names.toString());
        assertTrue(names.contains("m[\"<img src=x onerror=alert(1)>\"]"), names.toString());
        assertEquals("batch[0..1]", run("track", "--top 1 --sort bytes").stringColumn("variable").get(0));
        x.close();
        y.close();
        batch.forEach(Tensor::close);
    }

    @Test
    void rowsStandByWhatAllOfThemHoldTogether() throws Exception {
        List<Tensor> many = List.of(Tensor.zeros(512), Tensor.zeros(512), Tensor.zeros(512));
        Tensor one = Tensor.zeros(1024);
        session.put("one", "Tensor", one).put("many", "List<Tensor>", many);
        // 3 of 2 KiB each hold more than one of 4 KiB
        for (String sort : List.of("", "--sort bytes", "--sort kind")) {
            assertEquals(List.of("many[0..2]", "one"), run("track", sort).stringColumn("variable").asList());
        }
        one.close();
        many.forEach(Tensor::close);
    }

    @Test
    void whatAGraphSavedSaysWhichOperationSavedIt() throws Exception {
        Tensor x = Tensor.ones(1000).requiresGrad_(true);
        Tensor hidden = x.mul(2);
        Tensor y = hidden.relu();
        Tensor loss = y.sum();
        hidden.close();
        y.close();
        session.put("loss", "Tensor", loss).put("x", "Tensor", x);
        List<String> names = run("track", "").stringColumn("variable").asList();
        assertTrue(names.contains("loss.gradFn saved by relu"), names.toString());
        loss.close();
        x.close();
    }

    @Test
    void forgottenTensorsAreThoseThatNoVariableLeadsTo() throws Exception {
        Tensor named = Tensor.zeros(1);
        Tensor result = Tensor.zeros(2);
        Tensor old = Tensor.zeros(3);
        Tensor unclosed = Tensor.zeros(4);
        session.put("named", "Tensor", named).put("$3", "Tensor", result).replaced("w", 2, old);
        ReportTable leaks = run("track", "--leaks --sort age");
        assertEquals(List.of("$3", "w of In [2]", ""), leaks.stringColumn("variable").asList());
        assertEquals(List.of("old result", "replaced variable", "only an unclosed handle: the collector will find it"),
                leaks.stringColumn("held by").asList());
        for (Tensor t : List.of(named, result, old, unclosed)) {
            t.close();
        }
    }

    @Test
    void aTensorOfAnotherDeviceIsNotListed() throws Exception {
        try (Tensor onCpu = Tensor.zeros(10).cpu()) {
            session.put("onCpu", "Tensor", onCpu);
            assertFalse(run("track", "").stringColumn("variable").asList().contains("onCpu"));
        }
    }

    @Test
    void wrongWordsAreTold() {
        assertEquals("%track: \"onn\" is unknown here. It is one of on, off. Did you mean on?",
                assertThrows(UsageException.class, () -> run("track", "onn")).getMessage());
    }
}
