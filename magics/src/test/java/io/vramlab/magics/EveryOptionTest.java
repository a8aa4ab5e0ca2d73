package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.Outcome;
import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.bug.HistoryRecorder;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.TableRenderer;
import io.vramlab.memory.Cuda;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tech.tablesaw.api.Table;

/**
 * Runs every option of every magic, each value of those that have a few, and each of the words. What there is to run is
 * read from the magics' own help: an option that nothing here runs fails the test.
 */
class EveryOptionTest extends OnAFreshGpu {

    /** In a usage line: {@code [--by kind|cell]}, {@code [--png]}, {@code [on|off]}. */
    private static final Pattern PART = Pattern.compile("\\[(?:--(\\w+)(?: ([^\\]]+))?|([a-z]+(?:\\|[a-z]+)+))\\]");

    private static final String MLP = "../notebooks/mlp_adamw.trace";

    @TempDir
    Path folder;

    private final AfterCell listener = new AfterCell();
    private final Set<String> run = new TreeSet<>();

    @BeforeEach
    void twoCells() throws Exception {
        Magics.run("track", "on", session);
        session.code(() -> (IntFunction<Object>) n -> Tensor.empty(n, 1 << 18));
        cell(1, () -> session.put("big", "Tensor", Tensor.zeros(1024, 1024)).put("old", "Tensor", Tensor.zeros(16)));
        cell(2, () -> session.put("a", "Tensor", Tensor.zeros(1024)).put("$9", "Tensor", Tensor.zeros(2048)));
    }

    @AfterEach
    void close() {
        session.variables().forEach(v -> {
            if (v.value() instanceof Tensor tensor) {
                tensor.close();
            }
        });
        HistoryRecorder.of(session).stop();
        listener.sessionEnded(session);
        Cuda.setAllocatorSettings("expandable_segments:False");
    }

    private void cell(int number, Runnable body) {
        Cell cell = new Cell(number, "cell");
        session.cell(number);
        listener.cellStarted(cell, session);
        body.run();
        listener.cellFinished(cell, new Outcome(null, null, 1), session);
    }

    /** Runs a line; its value is a table, and its text, its HTML or its SVG contains the words. */
    private Table shows(String words, String line) throws Exception {
        String[] parts = line.split(" ", 2);
        String arguments = parts.length == 1 ? "" : parts[1];
        ReportTable report = run(parts[0].substring(1), arguments);
        String all = text(report) + new TableRenderer().render(report)
                + report.picture().map(p -> p.svg()).orElse("");
        assertTrue(all.contains(words), line + " should show " + words + ":\n" + text(report));
        note(parts[0], arguments);
        return report;
    }

    private void note(String magic, String arguments) {
        String previous = "";
        for (String word : arguments.split(" ")) {
            run.add(magic + " " + word);
            run.add(magic + " " + previous + " " + word);
            previous = word;
        }
    }

    private static String first(Table table, String column) {
        return table.stringColumn(column).get(0);
    }

    @Test
    void everyOptionIsRunAndShowsItsEffect() throws Exception {
        shows("… 3 more", "%track --top 1");
        assertEquals("big", first(shows("", "%track --sort bytes"), "variable"));
        assertEquals("big", first(shows("", "%track --sort age"), "variable"));
        assertEquals("$9", first(shows("", "%track --sort name"), "variable"));
        assertEquals("big", first(shows("", "%track --sort kind"), "variable"));
        shows("", "%track --sort cell");
        assertEquals(List.of("$9"), shows("Forgotten", "%track --leaks").stringColumn("variable").asList());
        shows("", "%track --older 1");
        shows("cuda:0", "%track --device 0");
        shows("Other: ", "%memory_map --by kind");
        shows("big: 4.00 MiB", "%memory_map --by variable");
        shows("unknown cell: ", "%memory_map --by cell");
        shows("image/png", "%memory_map --png");
        shows("more", "%memory_map --rows 1");
        shows("cuda:0", "%memory_map --device 0");
        shows("Other", "%memory_timeline --by kind");
        shows(">outside of cells<", "%memory_timeline --by cell");
        shows("big", "%memory_timeline --by variable");
        shows("time →", "%memory_timeline --time");
        shows("events →", "%memory_timeline --last 1");
        shows("image/png", "%memory_timeline --png");
        shows("cuda:0", "%memory_timeline --device 0");
        shows("big", "%memory_diff start now --by variable");
        shows("Other", "%memory_diff start now --by kind");
        shows("outside of cells", "%memory_diff start now --by line");
        shows("same", "%memory_diff 1 now --all");
        shows("a ", "%memory_diff 1 2 --device 0");
        shows("warm-up", "%mark warm-up");
        shows("4,194,304", "%holds big");
        shows("Allocated memory", "%memory_summary --abbreviated");
        shows("cuda:0", "%memory_summary --device 0");
        shows("allocated_bytes.all.peak", "%memory_stats allocated --device 0");
        shows("Snapshot", "%memory_snapshot --record on");
        Path file = folder.resolve("s.pickle");
        shows("Written: ", "%memory_snapshot " + file);
        assertTrue(Files.size(file) > 0);
        shows("roundup_power2_divisions:4", "%what_if --conf roundup_power2_divisions:4");
        shows("default", "%what_if --limit 512MiB");
        shows("default", "%what_if --on T4");
        shows("within what cuda:0 has", "%what_if --device 0");
        // the frame is for trusted notebooks: the sanitizer takes it away, and the still picture stays
        assertTrue(((ReportTable) Magics.run("memory_timeline", "--view", session)).page().isPresent());
        note("%memory_timeline", "--view");
        shows("big", "%track --each");
        shows("Snapshot", "%memory_snapshot --record off");
        shows("largest n that fits Simulated T4", "%fit --on T4 f(n) over n in 1..100000");
        shows("largest n that fits Simulated 1GiB is 1,024", "%fit --all f(n) over n in 1..5000");
        shows("image/png", "%fit --png f(n) over n in 1..50");
        shows("mlp_adamw.py on", "%plan " + MLP);
        shows("Memory runs out", "%plan --on 100MiB --conf expandable_segments:True " + MLP);
        shows("mlp_adamw.py on", "%plan --steps 1 " + MLP);
        shows("expandable_segments", "%alloc_conf --device 0 expandable_segments:True");
        shows("50.0 %", "%memory_fraction --device 0 0.5");
        shows("emptied", "%empty_cache --device 0");
        shows("reset", "%reset_peak_memory_stats --device 0");
        shows("cuda:0", "%gpu");
        shows("Collected", "%gc");
        shows("in force", "%lifetimes");
        shows("as in Java", "%lifetimes java");
        shows("as in Python", "%lifetimes python");
        shows("it is remembered", "%lifetimes check");
        Lifetimes.check(false);
        shows("10.84 GiB",
                "%explain CUDA out of memory. Tried to allocate 10.84 GiB (GPU 0; 23.65 GiB total capacity; 1.06 GiB already allocated; "
                        + "10.26 GiB free; 12.53 GiB reserved in total by PyTorch)");
        shows("is recorded into this notebook", "%bug_report on");
        shows("history", "%bug_report show");
        shows("Nothing is recorded any more", "%bug_report off");
        shows("freed", "%del a");
        shows("H100-80GB", "%device --profiles");
        shows("cuda:0", "%device reset");
        shows("The collector had to free", "%track --collected");
        shows("Tracking is off", "%track off");
        shows("Tracking is on", "%track on");
        runsOutOfMemory();
        shows("asked for", "%oom");
        Set<String> never = new LinkedHashSet<>();
        for (String name : Magics.names()) {
            never.addAll(neverRun("%" + name));
        }
        assertEquals(Set.of(), never);
    }

    private void runsOutOfMemory() {
        Device.select("sim:100MiB");
        Cell cell = new Cell(3, "cell");
        listener.cellStarted(cell, session);
        OutOfMemoryException error = assertThrows(OutOfMemoryException.class, () -> Tensor.empty(1L << 28));
        listener.cellFinished(cell, new Outcome(null, error, 1), session);
    }

    private Set<String> neverRun(String magic) throws Exception {
        Set<String> never = new LinkedHashSet<>();
        if (run.stream().noneMatch(r -> r.startsWith(magic + " "))) {
            never.add(magic);
        }
        for (MatchResult part : PART.matcher(usage(magic)).results().toList()) {
            if (part.group(3) != null) {
                Arrays.stream(part.group(3).split("\\|")).map(word -> magic + " " + word).forEach(never::add);
            } else if (part.group(2) == null || !part.group(2).contains("|")) {
                never.add(magic + " --" + part.group(1));
            } else {
                Arrays.stream(part.group(2).split("\\|")).map(word -> magic + " --" + part.group(1) + " " + word)
                        .forEach(never::add);
            }
        }
        never.removeAll(run);
        return never;
    }

    /** The first line of the help. */
    private static String usage(String magic) throws Exception {
        FakeSession own = new FakeSession();
        Magics.run(magic.substring(1), "--help", own);
        return own.printed().lines().findFirst().orElseThrow();
    }

    @Test
    void everyOptionAndEveryChoiceIsCompleted() throws Exception {
        for (String name : Magics.names()) {
            List<String> options = complete(name, "--", session);
            assertTrue(options.contains("--help"), name);
            for (MatchResult part : PART.matcher(usage("%" + name)).results().toList()) {
                if (part.group(3) != null) {
                    assertTrue(complete(name, "", session).containsAll(List.of(part.group(3).split("\\|"))), name);
                } else {
                    assertTrue(options.contains("--" + part.group(1)), name);
                }
                if (part.group(2) != null && part.group(2).contains("|")) {
                    assertEquals(List.of(part.group(2).split("\\|")),
                            complete(name, "--" + part.group(1) + " ", session));
                }
            }
        }
        for (String name : List.of("holds", "del")) {
            assertEquals(List.of("big"), complete(name, "b", session), name);
        }
    }

    private static List<String> complete(String name, String text, Session session) {
        return Magics.find(name).complete(text, session);
    }

    @Test
    void theValueOfEachIsATableThatFiltersAndJoins() throws Exception {
        Table live = (Table) Magics.run("track", "", session);
        Table blocks = (Table) Magics.run("memory_map", "", session);
        blocks.column("name").setName("variable");
        Table joined = live.joinOn("variable").inner(true, blocks.retainColumns("variable", "address"));
        assertEquals(4, joined.rowCount());
        assertEquals(1, live.where(live.longColumn("bytes").isGreaterThan(1 << 20)).rowCount());
    }
}
