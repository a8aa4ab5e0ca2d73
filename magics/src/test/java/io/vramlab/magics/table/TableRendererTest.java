package io.vramlab.magics.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.spi.Renderer;
import io.vramlab.kernel.spi.text.HostileNames;
import java.io.StringWriter;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tech.tablesaw.api.BooleanColumn;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.LongColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;
import tech.tablesaw.selection.Selection;

class TableRendererTest {

    private static final String HOSTILE = "<img src=x onerror=alert(1)>";

    private final TableRenderer renderer = new TableRenderer();

    private String html(Table table) {
        return renderer.render(table).get("text/html");
    }

    private String text(Table table) {
        return renderer.render(table).get("text/plain");
    }

    private static Table tensors() {
        return Table.create("Live tensors", StringColumn.create("variable", "a", "weights"),
                LongColumn.create("bytes", 4_194_304L, 512L));
    }

    @Test
    void theServiceIsFound() {
        assertTrue(ServiceLoader.load(Renderer.class).stream().anyMatch(p -> p.type() == TableRenderer.class));
    }

    @Test
    void thePlainTwinIsAlignedWithNumbersOnTheRight() {
        assertEquals("""
                Live tensors
                variable                bytes
                --------  -------------------
                a         4,194,304  4.00 MiB
                weights         512
                """, text(tensors()));
    }

    @Test
    void whatStandsBetweenBackQuotesInANoteIsCode() {
        Table noted = new ReportTable("a").note("run `vramlab what-if <file>` & see, as `cudaError' says");
        assertTrue(
                html(noted)
                        .contains("run <code>vramlab what-if &lt;file&gt;</code> &amp; see, as `cudaError&#39; says"),
                html(noted));
        assertTrue(text(noted).contains("run `vramlab what-if <file>` & see, as `cudaError' says\n"), text(noted));
    }

    @Test
    void aHostileNameBetweenBackQuotesStaysText() {
        String html = html(new ReportTable("a").note("`" + HOSTILE + "`"));
        assertTrue(html.contains("<code>&lt;img src=x onerror=alert(1)&gt;</code>"), html);
        assertFalse(html.contains(HOSTILE), html);
    }

    @Test
    void captionHeadersAndSizesBesideBytesAreShown() {
        String html = html(tensors());
        assertTrue(html.contains(">Live tensors</caption>"), html);
        assertTrue(html.contains(">4.00\u00a0MiB<br><small>4,194,304</small></td>"), html);
        assertTrue(html.contains("<td style=\"text-align:right;font-family:monospace;white-space:nowrap\""), html);
    }

    @Test
    void aFilteredTableLooksLikeTheOneItCameFrom() {
        Table large = tensors().where(tensors().longColumn("bytes").isGreaterThan(1000));
        assertTrue(html(large).contains("4.00\u00a0MiB"));
        assertFalse(html(large).contains("weights"));
    }

    @Test
    void rowsBeyondTheLimitAreCounted() {
        Table many = new ReportTable("many", IntColumn.create("n", IntStream.range(0, 262).toArray())).rows(50);
        assertTrue(html(many).contains("… 212 more"));
        assertTrue(text(many).endsWith("… 212 more\n"));
        assertFalse(text(many).contains("\n50\n"));
    }

    @Test
    void hostileNamesInEveryPlaceOfATableAreTextOnly() {
        for (String name : HostileNames.some(500)) {
            ReportTable table = new ReportTable(name, StringColumn.create(name.isEmpty() ? "x" : name, name))
                    .note(name);
            assertEquals(List.of(), Sanitizer.removed(html(table)), name);
            assertTrue(text(table).chars().noneMatch(c -> c != '\n' && Character.isISOControl(c)), name);
        }
    }

    @Test
    void aSavedTableHoldsNoCellThatASpreadsheetWouldRun() {
        for (String name : List.of("=cmd|'/c calc'!A1", "+cmd()", "-2+cmd()", "@SUM(A1)", "\t=1+1", "\r=1+1")) {
            ReportTable table = new ReportTable("saved", StringColumn.create("name", name, "plain"));
            for (Table saved : List.of(table, table.where(Selection.with(0)), table.copy(), table.first(1))) {
                StringWriter csv = new StringWriter();
                saved.write().csv(csv);
                assertTrue(csv.toString().lines().skip(1).findFirst().orElseThrow().replace("\"", "").startsWith("'"),
                        csv::toString);
                assertEquals(name, saved.stringColumn(0).get(0)); // the table itself is as it was
            }
        }
    }

    @Test
    void numbersAndDifferencesAreSavedAsTheyAre() {
        StringWriter csv = new StringWriter();
        new ReportTable("saved", StringColumn.create("change", "+4.00 MiB", "-512 bytes", "-", "unchanged"),
                LongColumn.create("bytes", -1, 2, 3, 4)).write().csv(csv);
        assertEquals("change,bytes\n+4.00 MiB,-1\n-512 bytes,2\n-,3\nunchanged,4\n",
                csv.toString().replace("\r\n", "\n"));
    }

    @Test
    void linesAfterTheFirstAreFolded() {
        Table stacks = Table.create("s", StringColumn.create("stack", "In [7]:12\n  at f\n  at <g>"));
        assertTrue(html(stacks).contains("<details><summary>In [7]:12</summary><pre style=\"margin:0;text-align:left\">"
                + "  at f\n  at &lt;g&gt;</pre></details>"), html(stacks));
        assertTrue(text(stacks).contains("In [7]:12 …\n"));
    }

    @Test
    void hostileNamesAreText() {
        Table hostile = Table.create(HOSTILE, StringColumn.create(HOSTILE, HOSTILE, "a\u202Eb\u0007"));
        assertFalse(html(hostile).contains("<img"), html(hostile));
        assertTrue(text(hostile).contains("a\uFFFDb\uFFFD"));
        assertEquals(List.of(), Sanitizer.removed(html(hostile)));
    }

    @Test
    void missingValuesAreEmptyAndOddTypesAreShown() {
        StringColumn empty = StringColumn.create("text");
        empty.appendMissing();
        Table table = Table.create("t", empty, DoubleColumn.create("x", Double.NaN), BooleanColumn.create("b", true),
                DoubleColumn.create("y", 0.25), LongColumn.create("n", -1L));
        assertEquals("""
                t
                text  x  b       y   n
                ----  -  ---  ----  --
                         yes  0.25  -1
                """, text(table));
    }

    @Test
    void sharesAreInPercentWithOneDecimal() {
        Table table = Table.create("t", DoubleColumn.create("used share", 0.25, 1),
                DoubleColumn.create("fragmentation", 0.37904, 0),
                DoubleColumn.create("x", 0.5, 1));
        assertEquals("""
                t
                used share  fragmentation    x
                ----------  -------------  ---
                    25.0 %         37.9 %  0.5
                   100.0 %          0.0 %    1
                """, text(table));
    }

    @Test
    void namesThatDifferInTheirLastIndexAreOneRowWhenAllElseIsTheSame() {
        List<String> names = List.of("history[0]", "x", "history[1]", "history[2]", "history[7]", "history[3].grad");
        assertEquals(List.of("history[0..2, 7] 4 × t", "x t", "history[3].grad t"),
                Alike.of(names, n -> n, n -> "same").stream().map(g -> g.name() + " " + g.times("t")).toList());
        assertEquals(List.of("a[0]", "a[1]"), Alike.of(List.of("a[0]", "a[1]"), n -> n, n -> n.hashCode()).stream()
                .map(Alike::name).toList());
    }

    @Test
    void whatIsAlikeStandsByItsSum() {
        List<String> names = List.of("large", "many[0]", "many[1]", "many[2]", "small");
        List<Alike<String>> groups = Alike.bySum(Alike.of(names, n -> n, n -> "same"),
                n -> n.equals("large") ? 20 : n.equals("small") ? 1 : 8);

        assertEquals(List.of("many[0..2]", "large", "small"), groups.stream().map(Alike::name).toList());
        assertEquals(List.of("3 blocks", "", ""), groups.stream().map(g -> g.times("")).toList());
    }

    @Test
    void aShortTitleIsNotBrokenWhereItsTableIsNarrow() {
        assertTrue(html(Table.create("Alive at the peak", LongColumn.create("bytes", 1L)))
                .contains("white-space:nowrap\">Alive at the peak</caption>"));
        assertFalse(html(Table.create("x".repeat(65), LongColumn.create("n", 1L))).contains("nowrap\">xx"));
    }

    @Test
    void aTableWithoutRowsStillHasItsHead() {
        Table none = Table.create("none", LongColumn.create("bytes"));
        assertEquals("none\nbytes\n-----\n", text(none));
        assertEquals(List.of(), Sanitizer.removed(html(none)));
    }

    @Test
    void aReportBringsItsOwnTextAndNotes() {
        ReportTable report = new ReportTable("caption", LongColumn.create("bytes", 1L)).note("what <this> means");
        assertTrue(html(report).contains("what &lt;this&gt; means"));
        assertTrue(text(report).endsWith("what <this> means\n"));
        assertEquals("exactly\n", text(report.text("exactly\n")));
    }

    @Test
    void nothingIsTakenAwayFromAnUntrustedNotebook() {
        assertEquals(List.of(), Sanitizer.removed(html(tensors())));
        assertFalse(Sanitizer.removed("<script>x</script>").isEmpty());
        assertFalse(Sanitizer.removed("<td onclick=\"x\">").isEmpty());
        assertFalse(Sanitizer.removed("<td style=\"color:var(--x)\">").isEmpty());
    }

    @Test
    void aRowsSubjectSaysWhatItsNumbersAre() {
        Table figures = Table.create("verdicts",
                StringColumn.create("figure", "peak, bytes", "peak as percent of the other", "failing calls"),
                LongColumn.create("measured", 4_194_304L, 59L, 7L));
        assertTrue(html(figures).contains(">4.00\u00a0MiB<br><small>4,194,304</small><"), html(figures));
        assertTrue(html(figures).contains(">59\u00a0%<"), html(figures));
        assertTrue(html(figures).contains(">7<"), html(figures));
    }

    @Test
    void whereColumnsAreManyNamesMayGoOnBelow() {
        Table wide = Table.create("blocks", StringColumn.create("address", "0x7f3fe6000000"),
                StringColumn.create("state", "active_allocated"), StringColumn.create("tensor", "float32[5, 2]"),
                LongColumn.create("a", 1L), LongColumn.create("b", 1L));
        assertFalse(html(wide).contains("<wbr>"));
        wide.addColumns(LongColumn.create("c", 1L));
        assertEquals(1, html(wide).split("<wbr>").length - 1, "the setting or field alone");
        assertTrue(html(wide).contains("active_<wbr>allocated"), html(wide));
        wide.addColumns(LongColumn.create("d", 1L));
        for (String parts : List.of("0x7f3f<wbr>e6000000", "active_<wbr>allocated", "float32<wbr>[5, 2]")) {
            assertTrue(html(wide).contains(parts), html(wide));
        }
        assertEquals(List.of(), Sanitizer.removed(html(wide)));
    }

    @Test
    void aLongNameMayGoOnBelowAmongFewColumnsToo() {
        Table few = Table.create("few", StringColumn.create("name", "optimizer.state[2].exp_avg_sq", "block.norm_1"));
        assertTrue(html(few).contains("optimizer.state<wbr>[2].exp_<wbr>avg_<wbr>sq"), html(few));
        assertTrue(html(few).contains("block.norm_1"), html(few));
    }

    @Test
    void amongManyColumnsWordsKeepOffTheNumberBeforeThem() {
        Table six = Table.create("six", LongColumn.create("a", 1L), LongColumn.create("b", 1L),
                LongColumn.create("c", 1L), LongColumn.create("d", 1L), LongColumn.create("measured", 7L),
                StringColumn.create("figure", "calls"));
        assertTrue(html(six).contains("padding:2px 5px 2px 15px\">calls<"), html(six));
        assertTrue(html(six).contains("padding:2px 5px\">7<"), html(six));
        assertEquals(List.of(), Sanitizer.removed(html(six)));
    }

    @Test
    void aShortTableStaysOnOneSheetOfPaper() {
        Table rows = Table.create("rows", IntColumn.create("n", IntStream.range(0, 40).toArray()));
        assertFalse(html(rows).contains("page-break-inside:avoid"));
        assertTrue(html(rows.first(12)).contains("page-break-inside:avoid"));
        assertEquals(List.of(), Sanitizer.removed(html(rows.first(12))));
    }

    @Test
    void noColourOfTextIsFixed() {
        assertFalse(html(tensors()).matches(".*[;\"]color:.*"));
    }
}
