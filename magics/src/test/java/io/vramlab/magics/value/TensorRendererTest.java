package io.vramlab.magics.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.magics.table.Sanitizer;
import io.vramlab.nn.Parameter;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shown tensor tells its numbers and what they do not tell. */
class TensorRendererTest {

    private final TensorRenderer renderer = new TensorRenderer();
    private final Device before = Device.current();
    private final Device device = Device.simulated("64MiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    private String html(Tensor x) {
        return renderer.render(x).get("text/html");
    }

    @Test
    void theTextIsTheTensorsOwnAndTheHtmlHasItToo() {
        try (Scope s = Scope.open()) {
            Tensor x = Tensor.arange(4).to(DType.FLOAT32).view(2, 2);
            assertEquals(x.toString(), renderer.render(x).get("text/plain"));
            assertTrue(html(x).endsWith("""
                    <pre style="margin:0;text-align:left">tensor([[0., 1.],
                            [2., 3.]], device=&#39;%s&#39;)</pre></div>""".formatted(device.name())), html(x));
        }
    }

    @Test
    void theLineAboveTellsKindDtypeShapeDeviceBytesAndGradient() {
        try (Scope s = Scope.open()) {
            String there = " · " + device.name() + " · ";
            Tensor x = Tensor.zeros(1024, 1024).requiresGrad_(true);
            assertTrue(html(x).contains("<b>Tensor</b> float32[1024, 1024]" + there
                    + "4.00 MiB (4,194,304 bytes) · requires grad</div>"), html(x));
            Tensor row = x.select(0, 1);
            assertTrue(html(row).contains("<b>Tensor</b> float32[1024]" + there
                    + "4.00 KiB (4,096 bytes), a view into 4.00 MiB (4,194,304 bytes) · made by SelectBackward0</div>"),
                    html(row));
            Parameter p = new Parameter(Tensor.of(1.5f));
            assertTrue(html(p).contains("<b>Parameter</b> float32[1]" + there + "4 bytes · requires grad</div>"),
                    html(p));
            p.close();
            assertTrue(html(p).contains("<b>Parameter</b> float32[1] on " + device.name() + " · closed</div>"),
                    html(p));
        }
    }

    @Test
    void theHtmlSurvivesInANotebookThatIsNotTrusted() {
        try (Scope s = Scope.open()) {
            for (Tensor x : List.of(Tensor.randn(40, 50), Tensor.of(1L), Tensor.rand(2).requiresGrad_(true).mul(2))) {
                assertEquals(List.of(), Sanitizer.removed(html(x)));
            }
        }
    }

    @Test
    void showingChangesNoFigure() {
        try (Scope s = Scope.open()) {
            Tensor x = Tensor.randn(100, 100).t();
            Object figures = Allocators.of(device).stats().asMap();
            renderer.render(x);
            renderer.label(x);
            assertEquals(figures, Allocators.of(device).stats().asMap());
        }
    }

    @Test
    void amongOthersAFewNumbersAreShownAndManyAreNamed() {
        try (Scope s = Scope.open()) {
            assertEquals("tensor(3, device='" + device.name() + "')", renderer.label(Tensor.of(1L, 2).sum()));
            assertEquals("Tensor(float32[10, 10] on " + device.name() + ")", renderer.label(Tensor.zeros(10, 10)));
            assertEquals("Tensor(float32[2, 2] on " + device.name() + ")", renderer.label(Tensor.zeros(2, 2)));
            Tensor gone = Tensor.zeros(2);
            gone.close();
            assertEquals("Tensor(float32[2] on " + device.name() + ", closed)", renderer.label(gone));
        }
    }
}
