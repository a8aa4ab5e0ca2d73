package io.vramlab.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import io.vramlab.magics.explain.Explanation;
import io.vramlab.magics.explain.ExplanationText;
import io.vramlab.magics.explain.Figure;
import io.vramlab.magics.explain.LogText;
import io.vramlab.magics.explain.Conclusion;
import io.vramlab.magics.text.FileTrouble;
import io.vramlab.magics.text.ReadableSizes;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what the text of an out-of-memory error proves. */
@Command(name = "explain", addMethodSubcommands = false, mixinStandardHelpOptions = true, description = "Tell what an out-of-memory message proves and what it does not: PyTorch's from 1.0 on, CUDA's and its libraries', JAX's, TensorFlow's, vLLM's, llama.cpp's and others'.")
final class ExplainCommand implements Callable<Integer> {

    /** A log may be long; the message is looked for in so much of its end. */
    private static final int MOST_BYTES = 64 << 20;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "TEXT|FILE", arity = "0..*", description = "the message, or a file with it in it, such as a log; standard input without it, or for -")
    private List<String> words = List.of();

    @Option(names = "--json", description = "print an object with every figure and finding")
    private boolean json;

    /** Where both go if the command line was not parsed. */
    private PrintWriter plainOut;
    private PrintWriter plainErr;

    /** Whether a command line is {@code explain} with a message or a file alone. */
    static boolean isPlain(String... args) {
        return args.length > 0 && args[0].equals("explain") && Arrays.stream(args)
                .noneMatch(each -> each.startsWith("@") || each.startsWith("-") && each.length() > 1);
    }

    /**
     * Runs a command line that is plain without having it parsed: that takes most of the time of what most people type first.
     *
     * @return the exit status
     */
    static int plain(String[] args, OutputStream out, OutputStream err) {
        ExplainCommand command = new ExplainCommand();
        command.words = List.of(args).subList(1, args.length);
        command.plainOut = new TerminalText(Main.writer(out));
        command.plainErr = new TerminalText(Main.writer(err));
        try {
            return command.call();
        } catch (RuntimeException failure) {
            return Main.failed("vramlab explain", failure, command.plainErr);
        }
    }

    private PrintWriter out() {
        return plainOut != null ? plainOut : spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return plainErr != null ? plainErr : spec.commandLine().getErr();
    }

    @Override
    public Integer call() {
        String text = text();
        Explanation told = Explanation.of(text).orElseThrow(() -> new CommandFailure(
                text.isBlank()
                        ? "An empty text was to be explained."
                        : "A text of " + ReadableSizes.count(text.length(), "character") + " was to be explained.",
                "No out-of-memory message is in it that " + Explanation.KNOWN + " is known to print.",
                "Give the line that says \"out of memory\" or RESOURCE_EXHAUSTED, as it was printed."));
        PrintWriter out = out();
        if (json) {
            out.println(new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(json(told)));
        } else {
            out.print(ExplanationText.of(told).replace("`vramlab ", "`" + StartedAs.command() + " "));
            out.flush();
        }
        return Main.OK;
    }

    private String text() {
        String given = String.join(" ", words);
        try {
            if (given.isEmpty() || given.equals("-")) {
                if (given.isEmpty() && System.console() != null && System.console().isTerminal()) {
                    err().println("Paste the message, then press Ctrl-D (on Windows Ctrl-Z and Enter).");
                }
                return LogText.of(end(System.in));
            }
            Path file = file(given);
            return file == null ? given : end(file);
        } catch (IOException unreadable) {
            throw new CommandFailure(given + " was to be read.",
                    FileTrouble.why(Path.of(given), unreadable),
                    "Name a file that can be read, or give the message itself in quotes.");
        }
    }

    /** The file that is named; null where the words are a message. */
    private static Path file(String given) {
        try {
            Path file = Path.of(given);
            if (Files.isRegularFile(file)) {
                return file;
            }
            if (Files.isDirectory(file) || LogText.isFileName(given)) {
                throw new CommandFailure(given + " was to be read.",
                        Files.isDirectory(file) ? "It is a folder." : "There is no such file.",
                        "Name a log with the message in it, or give the message itself in quotes.");
            }
            return null;
        } catch (InvalidPathException message) {
            return null;
        }
    }

    /** The last bytes of a stream, which may be endless. */
    private static byte[] end(InputStream in) throws IOException {
        byte[] before = new byte[0];
        while (true) {
            byte[] piece = in.readNBytes(MOST_BYTES);
            if (piece.length < MOST_BYTES) {
                byte[] both = Arrays.copyOf(before, before.length + piece.length);
                System.arraycopy(piece, 0, both, before.length, piece.length);
                return Arrays.copyOfRange(both, Math.max(0, both.length - MOST_BYTES), both.length);
            }
            before = piece;
        }
    }

    private static String end(Path file) throws IOException {
        try (var channel = Files.newByteChannel(file)) {
            channel.position(Math.max(0, channel.size() - MOST_BYTES));
            byte[] bytes = Channels.newInputStream(channel).readAllBytes();
            if (isSnapshot(bytes)) {
                throw new CommandFailure("The message in " + file + " was to be explained.",
                        "The file is no text: it is a pickle, as snapshots are, or compressed.",
                        FileKind.of(file).filter(kind -> kind != FileKind.LOG)
                                .map(kind -> kind.typed(file))
                                .orElse("If it is a snapshot: " + StartedAs.command() + " report " + file));
            }
            return LogText.of(bytes);
        }
    }

    /** A pickle of protocol 2 or later, a zip as torch.save writes it, or gzip. */
    private static boolean isSnapshot(byte[] bytes) {
        return bytes.length > 1 && (bytes[0] == (byte) 0x80 && bytes[1] >= 2 && bytes[1] <= 5
                || bytes[0] == 'P' && bytes[1] == 'K' || bytes[0] == 0x1f && bytes[1] == (byte) 0x8b);
    }

    private static JsonObject json(Explanation told) {
        JsonObject object = new JsonObject();
        object.addProperty("verdict", told.verdict());
        object.addProperty("source", told.message().source().name().toLowerCase(Locale.ROOT));
        object.addProperty("form", told.message().form());
        object.addProperty("versions", told.message().versions());
        if (told.message().device() >= 0) {
            object.addProperty("device", told.message().device());
        }
        object.addProperty("other_messages", told.others().size());
        JsonArray figures = new JsonArray();
        for (Figure figure : told.message().figures()) {
            JsonObject one = new JsonObject();
            one.addProperty("role", figure.role().name().toLowerCase(Locale.ROOT));
            one.addProperty("name", figure.name());
            one.addProperty("text", figure.amount().text());
            one.addProperty("bytes", figure.amount().bytes());
            one.addProperty("least", figure.amount().least());
            one.addProperty("most", figure.amount().most());
            one.addProperty("meaning", figure.meaning());
            figures.add(one);
        }
        object.add("figures", figures);
        JsonArray findings = new JsonArray();
        for (Conclusion finding : told.findings()) {
            JsonObject one = new JsonObject();
            one.addProperty("kind", finding.kind().word());
            one.addProperty("text", finding.text());
            findings.add(one);
        }
        object.add("findings", findings);
        JsonArray next = new JsonArray();
        told.next().forEach(next::add);
        object.add("next", next);
        object.addProperty("why", told.why());
        return object;
    }
}
