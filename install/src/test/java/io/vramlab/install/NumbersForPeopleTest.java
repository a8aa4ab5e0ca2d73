package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import io.vramlab.device.Device;
import io.vramlab.install.browser.Browser;
import io.vramlab.install.notebook.NotebookFile;
import io.vramlab.install.notebook.NotebookFile.CodeCell;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;

import picocli.CommandLine;

/** Every large number in what people read has separators, and bytes have MiB beside them. */
class NumbersForPeopleTest {

    private static final String ORACLE = "runtime/conformance/src/test/resources/oracle/";
    /** Not part of a decimal, an address, a name or what is to be typed. */
    private static final Pattern BARE = Pattern.compile("(?<![\\w.,:/=-])\\d{5,}(?![\\w,(])");
    private static final Pattern TO_TYPE = Pattern.compile("`[^`]*`");
    private static final Pattern BYTES_ALONE = Pattern.compile("(?<![(\\w,])\\d{1,3}(?:,\\d{3}){2,} bytes");

    /** As it stands in a notebook's file. */
    private static final Pattern TABLE = Pattern.compile("<table.*?</table>");
    /** Sizes of tensors, and places in a list. */
    private static final Pattern SHAPES = Pattern.compile("\\[[\\d, ]*\\]");

    @TempDir
    private Path folder;

    private final List<String> found = new ArrayList<>();

    private String run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        assertTrue(line.execute(arguments) != Main.USAGE && err.toString().isEmpty(), err::toString);
        return out.toString();
    }

    private void look(String where, String text) {
        for (String line : TO_TYPE.matcher(text).replaceAll("").split("\n")) {
            for (Pattern pattern : List.of(BARE, BYTES_ALONE)) {
                Matcher bare = pattern.matcher(line);
                while (bare.find()) {
                    found.add(where + ": " + bare.group() + " in " + line.strip());
                }
            }
        }
    }

    private void lookAtReport(Path snapshot) throws IOException {
        Path notebook = folder.resolve("report.ipynb");
        look(snapshot.getFileName() + ", terminal",
                run("report", snapshot.toString(), "-o", notebook.toString(), "--force"));
        for (JsonElement cell : JsonParser.parseString(Files.readString(notebook)).getAsJsonObject()
                .getAsJsonArray("cells")) {
            JsonObject told = cell.getAsJsonObject();
            if (told.get("cell_type").getAsString().equals("markdown")) {
                StringBuilder text = new StringBuilder();
                told.getAsJsonArray("source").forEach(line -> text.append(line.getAsString()));
                look(snapshot.getFileName() + ", notebook", withoutPictures(text.toString()));
            }
        }
    }

    /** The texts of pictures stay, their coordinates do not. */
    private static String withoutPictures(String text) {
        return text.replaceAll("(?s)<[^>]*>", " ").replaceAll("data:[^\"')]*", "");
    }

    /** A long history whose last request fails: 40,000 blocks, so 120,000 events. */
    private Path longHistory() throws IOException {
        CachingAllocator allocator = (CachingAllocator) Allocators.of(Device.simulated("4GiB"));
        allocator.recordHistory(HistoryOptions.withoutStacks());
        for (int i = 0; i < 40_000; i++) {
            allocator.free(allocator.allocate(3_000_000 + 512 * (i % 700), 0, 0));
        }
        Path file = folder.resolve("long.pickle");
        MemorySnapshot.of(allocator).write(file);
        return file;
    }

    @Test
    void inReports() throws IOException {
        for (String each : List.of("convnet", "gpt2", "leak")) {
            lookAtReport(Checkout.file(ORACLE + "whatif/" + each + "_default_nolimit.pickle.gz"));
        }
        try (Stream<Path> recordings = Files.list(Checkout.file("install/src/test/resources/diagnosis"))) {
            for (Path each : recordings.filter(file -> file.toString().endsWith(".pickle.gz")).sorted().toList()) {
                if (Math.floorMod(each.getFileName().toString().hashCode(), 40) == 0) {
                    lookAtReport(each);
                }
            }
        }
        lookAtReport(longHistory());
        assertEquals(List.of(), found);
    }

    @Test
    void inPlansAndWhatIfTablesAndExplanations() throws IOException {
        Path traces = Checkout.file("runtime/plan/src/test/resources/plan/traces");
        for (String each : List.of("mlp_adamw", "hf_bert_mask", "unet_diffusion")) {
            look(each, run("plan", traces.resolve(each + ".trace").toString()));
        }
        look("what-if", run("what-if",
                Checkout.file(ORACLE + "whatif/gpt2_default_nolimit.pickle.gz").toString(), "--limit", "2GiB"));
        look("explain",
                run("explain", "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 79.11"
                        + " GiB of which 5.00 MiB is free. Of the allocated memory 77.00 GiB is allocated by PyTorch, and 1.00 GiB is"
                        + " reserved by PyTorch but unallocated."));
        look("explain JAX", run("explain",
                "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17179869184 bytes."));
        assertEquals(List.of(), found);
    }

    /** What every magic shows, as saved in notebooks; a number that the notebook's own code has is its author's. */
    @Test
    void inTheTablesOfMagics() throws IOException {
        int tables = 0;
        try (Stream<Path> files = Files.walk(Checkout.file("notebooks"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".ipynb")).sorted().toList()) {
                NotebookFile notebook = NotebookFile.read(file);
                String code = notebook.cells().stream().map(CodeCell::source).collect(Collectors.joining("\n"));
                Matcher table = TABLE.matcher(Files.readString(file));
                while (table.find()) {
                    tables++;
                    String text = withoutPictures(table.group().replaceAll("<wbr>|&#8203;", ""));
                    look(file.getFileName().toString(), SHAPES.matcher(text).replaceAll("[]"));
                }
                found.removeIf(each -> code.contains(each.replaceAll("(?s)^[^:]*: (\\d*) in .*", "$1")));
            }
        }
        assertTrue(tables > 150, tables + " tables");
        assertEquals(List.of(), found);
    }

    /** The page writes its figures in the browser. */
    @Test
    void inTheViewsPage() throws IOException {
        assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "chromedriver"))), "no Chromium is at hand");
        Path page = folder.resolve("page.html");
        run("view", longHistory().toString(), "-o", page.toString());
        try (Browser browser = new Browser()) {
            browser.open(page.toUri().toString());
            browser.await("document.body.dataset.ready === 'yes'");
            look("page", browser.run("return document.body.innerText").getAsString());
            for (int block : new int[]{0, 699, 39_999}) {
                look("block", browser.run("return vramlab.describe(" + block + ")").getAsString());
            }
        }
        assertEquals(List.of(), found);
    }
}
