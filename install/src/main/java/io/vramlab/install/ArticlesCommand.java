package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

import io.vramlab.install.notebook.NotebookFile;
import io.vramlab.install.notebook.NotebookException;
import io.vramlab.install.notebook.Output;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the notebooks that judge articles and prints one table of all their claims. */
@Command(name = "articles", mixinStandardHelpOptions = true, description = "Run notebooks that judge claims, each in a fresh kernel, and print one table of all claims: "
        + "what was measured now, what PyTorch recorded, the verdict. What the files have stored is not used.")
final class ArticlesCommand implements Callable<Integer> {

    /** Every such notebook collects its claims in this variable. */
    private static final String ASK = "System.out.print(claims.json())";

    /** The one figure that hangs on which of two segments lies lower. */
    private static final String DRIVERS_CHOICE = "inactive split";

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "NOTEBOOK")
    private List<Path> files;

    @Option(names = "--device", paramLabel = "DEVICE", description = "the GPU to run on, as in VRAMLAB_DEVICE; cuda: real GPUs stand in for simulated ones, "
            + "and cells that need a simulated one are left out")
    private String device = "";

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "600", description = "how long a cell may take (default: ${DEFAULT-VALUE})")
    private long seconds;

    @Option(names = {"-j",
            "--jobs"}, paramLabel = "N", description = "how many notebooks run at once (default: one for each processor)")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() throws InterruptedException {
        NotebookRun.requireGpu(device);
        List<JsonObject> articles = new ArrayList<>();
        NotebookBatch.run(files, jobs, spec.commandLine().getErr(), this::run, article -> true, "", articles::add);
        return print(articles) ? Main.OK : Main.FAILED;
    }

    private JsonObject run(Path file, NotebookRun.Steps steps) throws IOException {
        try {
            NotebookFile notebook = NotebookFile.read(file);
            NotebookRun ran = NotebookRun.of(notebook, device, Duration.ofSeconds(seconds), ASK, steps);
            String trouble = ran.trouble() + ran.failure(notebook);
            if (!trouble.isEmpty()) {
                throw new NotebookException(trouble);
            }
            String told = ran.after().stream().map(Output::text).collect(Collectors.joining());
            return JsonParser.parseString(told).getAsJsonObject();
        } catch (JsonParseException | IllegalStateException noClaims) {
            throw unjudged(file, "It ran, and has no variable claims that holds Claims.");
        } catch (NotebookException failed) {
            throw unjudged(file, failed.getMessage());
        }
    }

    private static CommandFailure unjudged(Path file, String why) {
        return new CommandFailure("The claims of " + file + " were to be judged.", why,
                "Name notebooks that run to their end and collect what they judge in a variable: Claims claims.");
    }

    /** Prints the table; whether every figure that PyTorch recorded too is equal to it. */
    private boolean print(List<JsonObject> articles) {
        PrintWriter out = spec.commandLine().getOut();
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("claim", "verdict", "what is said", "measured", "PyTorch's", "figure"));
        int recorded = 0;
        int equal = 0;
        for (JsonObject article : articles) {
            for (JsonElement element : article.getAsJsonArray("claims")) {
                JsonObject claim = element.getAsJsonObject();
                String theirs = claim.has("recorded") ? text(claim.get("recorded")) : "";
                recorded += claim.has("recorded") ? 1 : 0;
                equal += theirs.equals(text(claim.get("measured"))) ? 1 : 0;
                lines.add(List.of(claim.get("id").getAsString(), claim.get("verdict").getAsString(),
                        claim.get("claim").getAsString(), text(claim.get("measured")), theirs,
                        claim.get("figure").getAsString()));
            }
        }
        TextTable.lines(lines, "lllrrl").forEach(out::println);
        out.println();
        long claims = lines.stream().skip(1).map(List::getFirst).distinct().count();
        out.printf("%d figures for %d claims; %d of %d that PyTorch recorded are equal to the byte.%n",
                lines.size() - 1, claims, equal, recorded);
        return examples(articles, out) && equal == recorded;
    }

    /** Prints how the examples compare with their recordings; whether they differ in nothing but what the driver decides. */
    private static boolean examples(List<JsonObject> articles, PrintWriter out) {
        long moments = 0;
        long equal = 0;
        boolean same = true;
        List<String> others = new ArrayList<>();
        int examples = 0;
        for (JsonObject article : articles) {
            for (JsonElement element : article.getAsJsonArray("examples")) {
                JsonObject example = element.getAsJsonObject();
                long all = example.get("moments").getAsLong();
                long alike = example.get("equal").getAsLong();
                String differing = example.get("differing").getAsString();
                examples++;
                moments += all;
                equal += alike;
                same &= differing.isEmpty() || differing.equals(DRIVERS_CHOICE);
                if (alike < all) {
                    others.add("  " + example.get("name").getAsString() + ": " + (all - alike) + " of " + all
                            + " differ, in: " + differing);
                }
            }
        }
        out.printf("%d examples beside their recordings: %d of %d moments are equal in all eight figures.%n", examples,
                equal, moments);
        others.forEach(out::println);
        if (!others.isEmpty() && same) {
            out.println(
                    "  Of two holes of equal size the one at the lower address is taken, and the driver chooses addresses.");
        }
        return same;
    }

    private static String text(JsonElement number) {
        return String.format(Locale.ROOT, "%,d", number.getAsLong());
    }
}
