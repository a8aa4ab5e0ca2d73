package io.vramlab.magics.claim;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.vramlab.magics.table.Report;
import io.vramlab.magics.table.Rows;
import java.util.ArrayList;
import java.util.List;

/** The claims of one article with what was measured for each. */
public final class Claims {

    private record Row(String id, String claim, String what, long measured, Long recorded, Verdict verdict) {
    }

    private final List<Row> rows = new ArrayList<>();
    private final String about;

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
        String beside = recorded == null
                ? ""
                : measured == recorded ? ", PyTorch's figure too" : String.format(", PyTorch: %,d", recorded);
        return String.format("%s %s: %s. Measured: %,d%s (%s).", id, verdict, claim, measured, beside, what);
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
    public Report table() {
        Rows table = new Rows().text("claim", "what is said", "figure").number("measured", "PyTorch's").text("verdict");
        for (Row r : rows) {
            table.row(r.id(), r.claim(), r.what(), r.measured(), r.recorded(), r.verdict().toString());
        }
        long same = rows.stream().filter(r -> r.recorded() != null && r.recorded() == r.measured()).count();
        long both = rows.stream().filter(r -> r.recorded() != null).count();
        return table.report(about).note(same + " of " + both + " figures that PyTorch recorded are equal to the byte.");
    }
}
