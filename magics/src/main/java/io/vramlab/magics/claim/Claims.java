package io.vramlab.magics.claim;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.vramlab.kernel.spi.Display;
import io.vramlab.kernel.spi.NotebookBridge;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The claims of one article with what was measured for each. */
public final class Claims {

    private record Row(String id, String claim, String what, long measured, Long recorded, Verdict verdict) {
    }

    private final List<Row> rows = new ArrayList<>();
    private final String about;
    private Display shown;

    /** For a text, named by its title. */
    public Claims(String about) {
        this.about = about;
    }

    /**
     * Judges a claim by one figure that PyTorch recorded too.
     *
     * @param id
     *            short name of the claim
     * @param claim
     *            what is said, in words of one's own
     * @param what
     *            what the figure is, with its unit
     * @param measured
     *            the figure measured here
     * @param recorded
     *            the same figure as PyTorch recorded it; null where there is none
     * @param verdict
     *            what follows, computed from measurements
     * @return the verdict, in a sentence
     */
    public String judge(String id, String claim, String what, long measured, Long recorded, Verdict verdict) {
        rows.add(new Row(id, claim, what, measured, recorded, verdict));
        if (shown != null) {
            shown.update(table());
        }
        String beside = recorded == null
                ? ""
                : measured == recorded ? ", PyTorch's figure too" : String.format(", PyTorch: %,d", recorded);
        return String.format("%s %s: %s. Measured: %,d%s (%s).", id, verdict, claim, measured, beside, what);
    }

    /**
     * Judges a claim by a figure of a run; the same figure is read off PyTorch's recording of it, where there is one.
     *
     * @param run
     *            the run that decides
     * @param figure
     *            how the figure is read off a run
     */
    public String judge(String id, String claim, String what, Marks run, ToLongFunction<Marks> figure,
            Verdict verdict) {
        return judge(id, claim, what, figure.applyAsLong(run),
                run.isRecorded() ? figure.applyAsLong(run.recorded()) : null, verdict);
    }

    /** Shows the table here, and anew in the same place whenever a claim has been judged. */
    public void show() {
        shown = NotebookBridge.get().display(table());
    }

    /** True when every figure that PyTorch recorded too is equal to it. */
    public boolean equal() {
        return rows.stream().allMatch(r -> r.recorded() == null || r.recorded() == r.measured());
    }

    /** All of them, with the examples that were set beside their recordings in this session, for tools. */
    public String json() {
        JsonArray claims = new JsonArray();
        for (Row r : rows) {
            JsonObject claim = new JsonObject();
            claim.addProperty("id", r.id());
            claim.addProperty("claim", r.claim());
            claim.addProperty("figure", r.what());
            claim.addProperty("measured", r.measured());
            if (r.recorded() != null) {
                claim.addProperty("recorded", r.recorded());
            }
            claim.addProperty("verdict", r.verdict().toString());
            claims.add(claim);
        }
        JsonArray examples = new JsonArray();
        Marks.compared().forEach((name, of) -> {
            JsonObject example = new JsonObject();
            example.addProperty("name", name);
            example.addProperty("moments", of.moments());
            example.addProperty("equal", of.equal());
            example.addProperty("differing", String.join(", ", of.differing()));
            examples.add(example);
        });
        JsonObject all = new JsonObject();
        all.addProperty("about", about);
        all.add("claims", claims);
        all.add("examples", examples);
        return all.toString();
    }

    /** All of them. */
    public ReportTable table() {
        return table(about, rows);
    }

    /** Those of one row. */
    public ReportTable of(String id) {
        List<Row> some = rows.stream().filter(r -> r.id().equals(id)).toList();
        return table(id + ": " + some.stream().map(r -> r.verdict().toString()).distinct()
                .collect(Collectors.joining(", ")), some);
    }

    private static ReportTable table(String title, List<Row> rows) {
        long same = rows.stream().filter(r -> r.recorded() != null && r.recorded() == r.measured()).count();
        long both = rows.stream().filter(r -> r.recorded() != null).count();
        RowBuilder table = new RowBuilder().text("claim", "what is said", "verdict").number("measured");
        if (both > 0) {
            table.number("PyTorch's");
        }
        table.text("figure");
        for (Row r : rows) {
            String verdict = r.verdict().toString();
            if (both > 0) {
                table.row(r.id(), r.claim(), verdict, r.measured(), r.recorded(), r.what());
            } else {
                table.row(r.id(), r.claim(), verdict, r.measured(), r.what());
            }
        }
        ReportTable report = table.report(title).below("figure", "what is said");
        return both == 0 ? report : report.note(equal(same, both));
    }

    private static String equal(long same, long both) {
        return both == 1
                ? "The figure that PyTorch recorded " + (same == 1 ? "is equal to the byte." : "is another.")
                : same + " of " + both + " figures that PyTorch recorded are equal to the byte.";
    }
}
