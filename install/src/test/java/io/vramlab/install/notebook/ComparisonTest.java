package io.vramlab.install.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.vramlab.install.notebook.Comparison.Where;

class ComparisonTest {

    private static final Output MEMORY = new Output("data", "text/html, text/plain", "allocated  4,194,304");
    private static final Output OOM = new Output("error", "OutOfMemoryException", "Tried to allocate 2.00 GiB");

    private static List<Comparison.Difference> compare(Where where, List<Output> recorded, List<Output> now) {
        return new Comparison(where).of(new NotebookFile.CodeCell(3, "", Set.of(), recorded), now);
    }

    private static List<Comparison.Difference> compare(List<Output> recorded, List<Output> now) {
        return compare(Where.RECORDED, recorded, now);
    }

    private static Output printed(String text) {
        return new Output("stream", "stdout", text);
    }

    @Test
    void theSameOutputsDoNotDiffer() {
        assertEquals(List.of(), compare(List.of(MEMORY, OOM), List.of(MEMORY, OOM)));
    }

    @Test
    void oneByteMoreIsADifferenceAndItsLineIsShown() {
        var found = compare(List.of(printed("a\nallocated 512\n")), List.of(printed("a\nallocated 513\n")));
        assertEquals(
                List.of(new Comparison.Difference(3, "another text from line 2 on", "allocated 512", "allocated 513")),
                found);
    }

    @Test
    void timesAddressesAndIdentitiesAreNotCompared() {
        assertEquals(List.of(), compare(List.of(printed("took 12 ms at 0x7f01 by Net@1b2c3d4e")),
                List.of(printed("took 3.5 s at 0x7fff by Net@5f6a7b8c  "))));
    }

    @Test
    void onAnotherGpuItsNameAndKindAreNotDifferencesAndItsFiguresAre() {
        String simulated = """
                device  name            kind       current  total bytes
                ------  --------------  ---------  -------  -----------
                cuda:0  Simulated 8GiB  simulated  yes        8,589,934
                """;
        String real = """
                device  name         kind  current  total bytes
                ------  -----------  ----  -------  -----------
                cuda:0  NVIDIA H200  cuda  yes        8,589,934
                """;
        assertEquals(List.of(), compare(Where.STAND_IN, List.of(printed(simulated)), List.of(printed(real))));
        assertEquals(1, compare(Where.STAND_IN, List.of(printed(simulated)),
                List.of(printed(real.replace("8,589,934", "8,589,933")))).size());
        assertEquals(1, compare(List.of(printed(simulated)), List.of(printed(real))).size());
    }

    @Test
    void whatTheContextAndOtherProcessesTakeOfARealGpuIsNoDifference() {
        String simulated = "free. Including non-PyTorch memory, this process has 240.00 MiB memory in use. Of 103.00 MiB";
        String real = "free. Process 26 has 2.41 GiB memory in use. Including non-PyTorch memory, this process has "
                + "758.00 MiB memory in use. Of 103.00 MiB";
        assertEquals(List.of(), compare(Where.STAND_IN, List.of(printed(simulated)), List.of(printed(real))));
        assertEquals(1, compare(Where.STAND_IN, List.of(printed(simulated)),
                List.of(printed(real.replace("103", "104")))).size());
    }

    @Test
    void whatLiesOutsideOfTheAllocatorIsNoDifferenceAndWhatStandsBesideItIs() {
        String simulated = "1.6 %.\nThe best hole has 2.00 MiB.";
        String real = "1.6 %.\nOutside of this allocator: 598.94 MiB (628,031,488 bytes).\nThe best hole has 2.00 MiB.";
        assertEquals(List.of(), compare(Where.ANOTHER, List.of(printed(real)), List.of(printed(simulated))));
        assertEquals(1, compare(Where.ANOTHER, List.of(printed(real)),
                List.of(printed(simulated.replace("1.6", "1.7")))).size());
        assertEquals(1, compare(List.of(printed(real)), List.of(printed(simulated))).size());
    }

    @Test
    void thePunctuationAfterAGpusNameIsComparedOnAnyGpu() {
        String simulated = "indexSelect failed on Simulated RTX-3060-12GB: launches wait";
        String real = "indexSelect failed on GPU 0 (NVIDIA H200): launches wait";
        assertEquals(List.of(), compare(Where.STAND_IN, List.of(printed(simulated)), List.of(printed(real))));
        assertEquals(1, compare(Where.STAND_IN, List.of(printed(simulated)),
                List.of(printed(real.replace(": ", ", ")))).size());
    }

    @Test
    void whereTheDriverPutSegmentsIsNoDifferenceAndTheirBlocksAre() {
        String map = "large ██ 20.00 MiB\nlarge ·█ 20.00 MiB\n  1  0x7f01  512\n  2  0x7f02  1,024";
        String other = "large ·█ 20.00 MiB\nlarge ██ 20.00 MiB\n  1  0x7e03  1,024\n  2  0x7e04  512";
        assertEquals(List.of(), compare(Where.STAND_IN, List.of(printed(map)), List.of(printed(other))));
        assertEquals(1, compare(Where.STAND_IN, List.of(printed(map)),
                List.of(printed(other.replace("512", "513")))).size());
        assertEquals(1, compare(List.of(printed(map)), List.of(printed(other))).size());
    }

    @Test
    void whichOfTwoHolesThatAreAsGoodIsToldIsNoDifferenceAndHowManyBytesAreInTheWayIs() {
        String one = "The best hole has 2 bytes at 0x7f01; in the way: losses[48] (2 bytes).";
        String other = "The best hole has 2 bytes at 0x7e03; in the way: losses[8] (2 bytes).";
        assertEquals(List.of(), compare(Where.STAND_IN, List.of(printed(one)), List.of(printed(other))));
        assertEquals(1, compare(Where.STAND_IN, List.of(printed(one)),
                List.of(printed(other.replace("(2 bytes)", "(3 bytes)")))).size());
        assertEquals(1, compare(List.of(printed(one)), List.of(printed(other))).size());
    }

    @Test
    void whichBlocksAShortenedMapShowsIsNoDifferenceAndHowManyIs() {
        String map = "1.00 MiB allocated\n  1  0x7f01  512\n… 56 more";
        String other = "1.00 MiB allocated\n  1  0x7e03  1,024\n… 56 more";
        assertEquals(List.of(), compare(Where.STAND_IN, List.of(printed(map)), List.of(printed(other))));
        assertEquals(1, compare(Where.STAND_IN, List.of(printed(map)),
                List.of(printed(other.replace("56", "57")))).size());
    }

    @Test
    void aFaultIsTheSameWhateverTheGpuKnowsOfIt() {
        String simulated = "CUDA error: device-side assert triggered (index_select: index 9 is out of bounds, in indexSelect "
                + "at In [2]:1). Simulated 8GiB is lost since then: every call fails. To go on, %device reset.";
        String real = "CUDA error: device-side assert triggered (CUDA_ERROR_ASSERT (710)). GPU 0 (NVIDIA H200) is lost "
                + "since then: every call fails. To go on, restart the kernel.";
        assertEquals(List.of(), compare(Where.STAND_IN, List.of(printed(simulated)), List.of(printed(real))));
        assertEquals(1, compare(Where.STAND_IN, List.of(printed(simulated)), List
                .of(printed(real.replace("device-side assert triggered", "unspecified launch failure")))).size());
    }

    @Test
    void sizesAreCompared() {
        assertEquals(1, compare(List.of(printed("2 MiB")), List.of(printed("3 MiB"))).size());
    }

    @Test
    void aFixedBugIsRecognised() {
        var found = compare(List.of(OOM), List.of(MEMORY));
        assertEquals("the recorded failure no longer occurs", found.getFirst().what());
        assertEquals("OutOfMemoryException: Tried to allocate 2.00 GiB", found.getFirst().recorded());
    }

    @Test
    void anotherErrorAMissingOneAndANewOneAreTold() {
        assertEquals("another error",
                compare(List.of(OOM), List.of(new Output("error", "Other", ""))).getFirst().what());
        assertEquals("a recorded output is missing", compare(List.of(MEMORY), List.of()).getFirst().what());
        assertEquals("an output that was not recorded", compare(List.of(), List.of(OOM)).getFirst().what());
        assertEquals("another kind of output", compare(List.of(MEMORY), List.of(printed("x"))).getFirst().what());
    }

    private static Output table(String html) {
        return new Output("data", "text/html, text/plain", "a  1", Map.of("text/html", html));
    }

    @Test
    void aFigureThatWasEditedOnlyInTheTableThatReadersSeeIsFound() {
        var found = compare(List.of(table("<table><tr><td>a</td><td>1</td></tr></table>")),
                List.of(table("<table><tr><td>a</td><td>2</td></tr></table>")));
        assertEquals(List.of("another table from line 1 on"), found.stream().map(Comparison.Difference::what).toList());
        assertEquals(List.of(), compare(List.of(table("<table class=\"x\"><tr><td>a</td></tr></table>")),
                List.of(table("<table><tr><td>a</td></tr></table>"))));
    }

    private static Output picture(String svg) {
        return table("<img src=\"data:image/svg+xml;base64,"
                + Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8)) + "\">");
    }

    @Test
    void anEditedPictureIsFoundAndAddressesInPicturesAreNot() {
        assertEquals("another picture",
                compare(List.of(picture("<svg>1</svg>")), List.of(picture("<svg>2</svg>"))).getFirst().what());
        assertEquals(List.of(), compare(List.of(picture("at 0x10")), List.of(picture("at 0x20"))));
        assertEquals("another picture", compare(List.of(table("<img src=\"data:image/png;base64,?\">")),
                List.of(picture("x"))).getFirst().what());
    }

    @Test
    void anEditedTracebackIsFoundWhateverItsColours() {
        Output error = new Output("error", "E", "why",
                Map.of("traceback", "\u001b[31mE\u001b[0m: why\nat In [7], line 2"));
        Output edited = new Output("error", "E", "why", Map.of("traceback", "E: why\nat In [8], line 3"));
        Output plain = new Output("error", "E", "why", Map.of("traceback", "E: why\nat In [8], line 2"));
        assertEquals("another traceback from line 2 on", compare(List.of(error), List.of(edited)).getFirst().what());
        assertEquals(List.of(), compare(List.of(error), List.of(plain)));
    }

    @Test
    void onADeviceOfAnotherSizeWhatIsToldOfTheDeviceItselfIsNotCompared() {
        String here = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 8.00 GiB of which 7.77 GiB"
                + " is free. Including non-PyTorch memory, this process has 240.00 MiB memory in use. 256.00 MiB allowed; Of";
        String there = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 139.80 GiB of which 9.00"
                + " GiB is free. Process 12 has 1.00 GiB memory in use. Including non-PyTorch memory, this process has 756.00"
                + " MiB memory in use. 256.00 MiB allowed; Of";
        List<Output> recorded = List.of(new Output("error", "E", here));
        assertEquals(List.of(), compare(Where.ANOTHER, recorded, List.of(new Output("error", "E", there))));
        assertEquals(1, compare(Where.STAND_IN, recorded, List.of(new Output("error", "E", there))).size());
        // what is allowed is the program's own affair
        assertEquals(1, compare(Where.ANOTHER, recorded,
                List.of(new Output("error", "E", there.replace("256.00 MiB allowed", "1.00 GiB allowed")))).size());
    }

    @Test
    void cellNumbersAndWidthsOfColumnsAreNotCompared() {
        assertEquals(List.of(), compare(List.of(printed("made at   size\n-------   ----\nIn [9]:1     2")),
                List.of(printed("made at    size\n--------   ----\nIn [10]:1     2"))));
    }

    @Test
    void aTableThatLostItsHtmlIsADifference() {
        assertTrue(compare(List.of(MEMORY), List.of(new Output("data", "text/plain", MEMORY.text()))).getFirst().what()
                .contains("form"));
    }

    /** As a table of an earlier release looked: bytes alone, shares as fractions, columns in another order. */
    private static final String OLDER = """
            Held by line
            line      blocks      bytes  share
            --------  ------  ---------  ------
            train:12       3  4,194,304  0.5714
            train:20       1        512  0.0001
            """;
    private static final String TODAY = """
            Held by line
            line       share                bytes  blocks  name
            --------  ------  -------------------  ------  ----
            train:12  57.1 %  4,194,304  4.00 MiB       3  x
            train:20   0.0 %        512                 1  y
            """;

    @Test
    void aTableOfAnOlderFormWithTheSameFiguresIsNoDifference() {
        assertEquals(List.of(), compare(List.of(printed(OLDER)), List.of(printed(TODAY))));
    }

    @Test
    void anotherFigureInATableOfAnOlderFormIsADifference() {
        for (String edited : List.of(OLDER.replace("4,194,304", "4,194,305"), OLDER.replace("0.5714", "0.5724"),
                OLDER.replace("     3 ", "     4 "), OLDER.replace("train:20", "train:21"),
                OLDER.replace("train:20       1        512  0.0001\n", ""), OLDER.replace("Held", "Kept"))) {
            assertEquals(1, compare(List.of(printed(edited)), List.of(printed(TODAY))).size(), edited);
        }
    }

    @Test
    void aFigureThatWasChangedInThePageAloneIsADifferenceInAnOlderFormToo() {
        String page = "<table><tr><td>train:12</td><td>3</td><td>4,194,304</td><td>0.5714</td></tr>"
                + "<tr><td>train:20</td><td>1</td><td>512</td><td>0.0001</td></tr></table>";
        Output today = new Output("data", "text/html, text/plain", TODAY, Map.of("text/html", "<table></table>"));
        assertEquals(List.of(), compare(
                List.of(new Output("data", "text/html, text/plain", OLDER, Map.of("text/html", page))),
                List.of(today)));
        assertEquals(1, compare(List.of(new Output("data", "text/html, text/plain", OLDER,
                Map.of("text/html", page.replace("4,194,304", "4,194,303")))), List.of(today)).size());
    }

    @Test
    void aSizeThatStandsBesideItsBytesInThePageTodayIsNoDifferenceAndAWrongOneIs() {
        String older = "<tr><td>Allocated memory</td><td>4,194,304</td></tr>";
        String today = "<tr><td>Allocated memory</td><td>4.00&nbsp;MiB<br><small>4,194,304</small></td></tr>"
                .replace("&nbsp;", "\u00a0");
        assertEquals(List.of(), compare(List.of(page(older)), List.of(page(today))));
        assertEquals(1, compare(List.of(page(older)), List.of(page(today.replace("4.00", "4.01")))).size());
        assertEquals(1, compare(List.of(page(older)), List.of(page(today.replace("304", "305")))).size());
    }

    private static Output page(String html) {
        return new Output("data", "text/html, text/plain", "the same text", Map.of("text/html", html));
    }
}
