package io.vramlab.magics.explain;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A log without what terminals and launchers put around a message. */
public final class LogText {

    /** Colours, and links: ECMA-48's control sequences, and operating system commands up to their end. */
    private static final Pattern ESCAPES = Pattern.compile(
            "\\x1B(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\x07\\x1B]*(?:\\x07|\\x1B\\\\)|[@-Z\\\\^_])");
    /** What stands before every line of one: a rank of torchrun's, a process of vLLM's or Ray's, pytest's E, the border of a box, a quoted mail's mark. */
    private static final Pattern MARGIN = Pattern
            .compile(
                    "(?m)^[ \\t]*(?:\\[(?:default|rank)\\d+\\]:|\\([\\w ]+ pid=\\d+[^)]*\\)|E(?= {2,})|[│┃|❱>]+)+[ \\t]*|[ \\t]*[│┃|][ \\t]*$");

    /** One word with an ending or a folder in it. */
    private static final Pattern FILE_NAME = Pattern.compile("\\S*[/\\\\]\\S+|\\S+\\.[A-Za-z][A-Za-z0-9]{0,6}");

    /** A text up to this is read as it is; of a longer one what lies near a word that every known message has. */
    private static final int SHORT = 1 << 20;
    private static final int NEAR = 8000;
    private static final List<String> TELLTALES = List.of("f memory", "OfMemory", "OF_MEMORY", "OOM", "o allocate",
            "t allocate memory", "not enough memory", "Allocation on device", "AllocateRawInternal", "ALLOC_FAILED",
            "ALLOCATION_FAILED", "cudaErrorMemoryAllocation", "NOT_INITIALIZED", "EXHAUSTED", "exhausted",
            "not possible",
            "of resource", "desired GPU memory", "KV cach", "cache blocks", "illed by signal", "illed process",
            "SIGKILL", "OOM Killed", "oom_kill", "job memory limit",
            "oom-kill", "exitcode", "torch_");

    private LogText() {
    }

    /** {@return whether a text names a file, there or not, and is nobody's message} */
    public static boolean isFileName(String text) {
        return FILE_NAME.matcher(text).matches();
    }

    /** {@return the text with one space for each stretch of white space} */
    static String folded(String log) {
        return MARGIN.matcher(ESCAPES.matcher(log.length() <= SHORT ? log : near(log)).replaceAll("")).replaceAll(" ")
                .replaceAll("\\s+", " ");
    }

    /** What to look for: of two words of which one is within the other, the shorter finds both. */
    private static List<String> telltales() {
        List<String> words = Stream.concat(TELLTALES.stream(),
                Wordings.all().stream().flatMap(wording -> wording.words().stream())).distinct().toList();
        return words.stream().filter(
                word -> words.stream().noneMatch(other -> !other.equals(word) && word.contains(other))).toList();
    }

    /** The stretches of a long log around such words: dozens of patterns are then looked for in little. */
    private static String near(String log) {
        List<Integer> places = new ArrayList<>();
        for (String word : telltales()) {
            for (int at = log.indexOf(word); at >= 0; at = log.indexOf(word, at + NEAR)) {
                places.add(at); // what else it tells within that distance is kept with it
            }
        }
        Collections.sort(places);
        StringBuilder kept = new StringBuilder();
        int until = 0;
        for (int at : places) {
            int from = Math.max(until, at - NEAR);
            int to = Math.min(log.length(), at + 2 * NEAR);
            kept.append(from > until ? "\n" : "").append(log, from, to);
            until = Math.max(until, to);
        }
        return kept.toString();
    }

    /**
     * Reads a log's bytes: UTF-16 where it begins with that mark, as PowerShell's {@code >} writes it, else UTF-8, in which
     * what is no character does no harm.
     */
    public static String of(byte[] bytes) {
        return new String(bytes, charset(ByteBuffer.wrap(bytes)));
    }

    private static Charset charset(ByteBuffer bytes) {
        int mark = bytes.remaining() < 2 ? 0 : bytes.getShort() & 0xFFFF;
        return mark == 0xFFFE || mark == 0xFEFF ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
    }
}
