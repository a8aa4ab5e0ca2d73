package io.vramlab.magics.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.magics.table.TableRenderer;
import io.vramlab.tensor.Tensor;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tech.tablesaw.api.Table;

class ClaimsTest {

    private Device before;

    @BeforeEach
    void onAnEmptyDevice() {
        before = Device.current();
        Device.set(Device.simulated("1GiB"));
    }

    @AfterEach
    void onTheFormerDevice() {
        Device.set(before);
    }

    /** a and b: 1024 * 1024 * 4 bytes each in one segment of 20 MiB, as s002_5_out_of_place records. */
    private static Marks outOfPlace(long columns) {
        Marks marks = Marks.start();
        Tensor x = Tensor.randn(1024, columns);
        Tensor y = Tensor.randn(1024, columns);
        marks.set("xy");
        Tensor sum = x.add(y);
        x.close();
        marks.set("x = x + y");
        Tensor t = sum.mul(2);
        marks.set("t = x * 2");
        y.close();
        sum.close();
        t.close();
        return marks;
    }

    @Test
    void anExampleThatDoesWhatTheRecordedOneDidIsEqualInEveryFigure() {
        Marks marks = outOfPlace(1024);

        assertTrue(marks.equal("s002_5_out_of_place"));
        assertEquals(3 * 4_194_304, marks.at("x = x + y").peak());
        Table table = marks.beside("s002_5_out_of_place");
        assertEquals(4, table.stringColumn("all 8 figures").countOccurrences("equal"));
    }

    @Test
    void anotherExampleIsToldToDifferAndInWhat() {
        Marks marks = outOfPlace(512);

        assertFalse(marks.equal("s002_5_out_of_place"));
        Table table = marks.beside("s002_5_out_of_place");
        String told = table.stringColumn("all 8 figures").get(1);
        assertTrue(told.startsWith("all but allocated, peak"), told);
    }

    @Test
    void aNameThatWasNeverRecordedIsRefusedWithTheNamesThereAre() {
        NoSuchElementException unknown = assertThrows(NoSuchElementException.class,
                () -> Recorded.mark("s999", "start"));
        assertTrue(unknown.getMessage().contains("s002_5_in_place"), unknown.getMessage());
        assertThrows(NoSuchElementException.class, () -> Recorded.mark("s002_5_in_place", "never"));
        assertThrows(NoSuchElementException.class, () -> Marks.start().at("never"));
    }

    @Test
    void aFigureThatIsNotPyTorchsIsToldBesideIt() {
        Claims claims = new Claims("a text");

        String same = claims.judge("x1", "it grows", "bytes", 512, 512L, Verdict.of(true));
        assertTrue(same.contains("borne out") && same.contains("PyTorch's figure too"), same);
        assertTrue(claims.equal());
        String other = claims.judge("x2", "it shrinks", "bytes", 512, 1024L, Verdict.of(false));
        assertTrue(other.contains("not borne out") && other.contains("PyTorch: 1,024"), other);
        assertFalse(claims.equal());
        assertEquals(2, claims.table().rowCount());
        claims.judge("x2", "it shrinks a little", "bytes", 512, null, Verdict.of(true));
        assertEquals("x2: not borne out, borne out", claims.of("x2").name());
        assertEquals(List.of("The figure that PyTorch recorded is equal to the byte."), claims.of("x1").notes());
        assertEquals(List.of("The figure that PyTorch recorded is another."), claims.of("x2").notes());
        assertEquals(List.of("1 of 2 figures that PyTorch recorded are equal to the byte."), claims.table().notes());
    }

    @Test
    void whereNothingWasRecordedThereIsNoColumnForIt() {
        Claims claims = new Claims("a text");
        claims.judge("x1", "it grows", "bytes", 512, null, Verdict.of(true));

        assertEquals(List.of("claim", "what is said", "verdict", "measured", "figure"), claims.table().columnNames());
        assertEquals(List.of(), claims.table().notes());
    }

    @Test
    void onAPageTheFigureStandsBelowWhatIsSaid() {
        Claims claims = new Claims("a text");
        claims.judge("x1", "it grows", "bytes per step", 2048, 2048L, Verdict.of(true));

        String html = new TableRenderer().render(claims.table()).get("text/html");
        assertTrue(html.contains(">what is said<br><small>figure</small></th>"), html);
        assertTrue(html.contains("it grows<br><small>bytes per step</small></td>"), html);
        assertTrue(html.contains(">2.00\u00a0KiB<br><small>2,048</small>"), html);
        assertFalse(html.contains(">bytes per step</td>"), html);
    }

    @Test
    void toolsGetEveryClaimAndWhatWasComparedWithItsRecording() {
        Claims claims = new Claims("a text");
        claims.judge("x1", "it grows", "bytes", 5, 6L, Verdict.BORNE_OUT);
        claims.judge("x2", "it shrinks", "bytes", 7, null, Verdict.HALF_TRUE);
        outOfPlace(512).beside("s002_5_out_of_place");
        String json = claims.json();
        assertTrue(json
                .contains("{\"id\":\"x1\",\"claim\":\"it grows\",\"figure\":\"bytes\",\"measured\":5,\"recorded\":6,"
                        + "\"verdict\":\"borne out\"}"),
                json);
        assertTrue(json.contains("\"measured\":7,\"verdict\":\"half true\""), json);
        // of the four moments only the first, before anything is there, is equal
        assertTrue(json.contains("{\"name\":\"s002_5_out_of_place\",\"moments\":4,\"equal\":1,"
                + "\"differing\":\"active, allocated, inactive split, peak, requested\"}"), json);
    }

    @Test
    void aFigureOfARunIsReadOffItsRecordingToo() {
        Claims claims = new Claims("a text");
        Marks run = Marks.start("s002_5_out_of_place");
        Tensor x = Tensor.randn(1024, 1024);
        run.set("xy");
        String told = claims.judge("x1", "it is there", "bytes", run, r -> r.at("xy").allocated(),
                Verdict.of(true));
        x.close();

        // one tensor here, two in the recording
        assertTrue(told.contains("4,194,304") && told.contains("PyTorch: 8,388,608"), told);
        assertEquals(4_194_304, run.growth("start", "xy"));
        assertEquals(1, claims.of("x1").rowCount());
        assertEquals(0, claims.of("x2").rowCount());
    }

    @Test
    void anExampleBeginsWithoutWhatTheOneBeforeItDropped() {
        droppedWithoutBeingClosed();
        assertEquals(0, Marks.start().at("start").allocated());
    }

    private static void droppedWithoutBeingClosed() {
        Tensor.randn(1024, 1024);
    }

    @Test
    void halfTrueIsWhatHoldsInPart() {
        assertEquals(Verdict.BORNE_OUT, Verdict.of(true, true));
        assertEquals(Verdict.HALF_TRUE, Verdict.of(false, true));
        assertEquals(Verdict.NOT_BORNE_OUT, Verdict.of(false, false));
    }
}
