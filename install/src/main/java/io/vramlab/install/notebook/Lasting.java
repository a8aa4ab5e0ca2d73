package io.vramlab.install.notebook;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Outputs without what differs from run to run: times, addresses, object identities, cell numbers, widths of columns; and, on
 * other GPUs than the recorded ones, without what belongs to the GPU. */
final class Lasting {

    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]+");
    private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]{5,8}\\b");
    private static final Pattern TIME = Pattern.compile("\\b\\d[\\d,]*(\\.\\d+)? ?(ns|us|µs|ms|s|seconds)\\b");
    private static final Pattern CELL = Pattern.compile("\\bIn \\[\\d+\\]");
    private static final Pattern TRAILING_SPACE = Pattern.compile("[ \\t]+(?=\\R|$)");
    private static final Pattern WIDE = Pattern.compile(" {2,}");
    private static final Pattern RULE = Pattern.compile("-{3,}");
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final Pattern TAG = Pattern.compile("<[^>]*>");
    private static final Pattern ROW = Pattern.compile("</(tr|p|div|caption|pre|li|summary)>");
    private static final Pattern PICTURE = Pattern.compile("src=\"data:(image/[a-z+]+);base64,([^\"]*)\"");
    private static final String SIZE = "\\d+(\\.\\d+)? (bytes|[KMGT]iB)";
    /** What a message tells of the device as a whole, other processes on it, and this process's use outside the allocator. */
    private static final Pattern DEVICE = Pattern
            .compile("GPU \\d+ has a total capacity of " + SIZE + " of which " + SIZE
                    + " is free\\.( Process \\d+ has " + SIZE
                    + " memory in use\\.| Including non-PyTorch memory, this process has "
                    + SIZE + " memory in use\\.)*|the device has " + SIZE + " free|" + SIZE
                    + " free on the device|Simulated [\\w.-]*\\w|NVIDIA [\\w -]+");

    /** A row of bytes, with their size before or behind them. */
    private static final Pattern DEVICE_ROW = Pattern.compile(
            "(?m)^\\s*(device|free on the device)\\s+(" + SIZE + "\\s+)?[\\d,]+(\\s+" + SIZE + ")?\\s*$");

    private static final Pattern GPU = Pattern
            .compile("GPU \\d+ \\(NVIDIA [^)]*\\)|Simulated [\\w.-]*\\w|NVIDIA( [A-Z]*\\d[\\w-]*)+");
    private static final Pattern KIND = Pattern.compile("\\b(simulated|cuda)  +");
    /** What only a simulated GPU knows of a fault, and of the way back. */
    private static final Pattern FAULT_DETAIL = Pattern.compile("(CUDA error: [^(]+)\\(.*?\\)\\. ");
    private static final Pattern RECOVERY = Pattern.compile("([Tt]o go on, ).*");

    /** A real GPU is shared, and a context is on it. */
    private static final Pattern OTHER_PROCESS = Pattern.compile(" Process \\d+ has " + SIZE + " memory in use\\.");
    private static final Pattern THIS_PROCESS = Pattern.compile("(this process has )" + SIZE + "( memory in use)");
    private static final Pattern OUTSIDE = Pattern
            .compile("(?m)^[ \\t]*Outside of this allocator: " + SIZE + " \\([\\d,]+ bytes\\)\\.[ \\t]*(\\R|$)");
    /** Which of several holes that are as good is told first follows from where the driver put them. */
    private static final Pattern IN_THE_WAY = Pattern.compile("(; in the way: )[^()]+( \\()");
    private static final Pattern SEGMENT_NUMBER = Pattern.compile("(?m)^ *\\d+ +(?=0x…)");

    private static final Pattern SHORTENED = Pattern.compile("(?m)^ *… [\\d,]+ more");

    private final Comparison.Where where;

    Lasting(Comparison.Where where) {
        this.where = where;
    }

    String text(String text) {
        String kept = COLOUR.matcher(text).replaceAll("");
        kept = switch (where) {
            case RECORDED -> kept;
            case STAND_IN -> ofAnyGpu(kept);
            case ANOTHER -> ofAnySize(ofAnyGpu(kept));
        };
        kept = ADDRESS.matcher(kept).replaceAll("0x…");
        kept = IDENTITY.matcher(kept).replaceAll("@…");
        kept = TIME.matcher(kept).replaceAll("… s");
        kept = CELL.matcher(kept).replaceAll("In […]");
        kept = WIDE.matcher(kept).replaceAll("  ");
        kept = RULE.matcher(kept).replaceAll("---");
        kept = TRAILING_SPACE.matcher(kept).replaceAll("").strip();
        return where == Comparison.Where.RECORDED || !kept.contains("0x…") ? kept : inAnyOrder(kept);
    }

    /**
     * Where addresses are shown, the order of lines follows from where the driver put the segments, and so does which of them a
     * shortened table shows.
     */
    private static String inAnyOrder(String text) {
        boolean isShortened = SHORTENED.matcher(text).find();
        return SEGMENT_NUMBER.matcher(text).replaceAll("").lines().map(String::strip)
                .filter(line -> !isShortened || !line.startsWith("0x…")).sorted().collect(Collectors.joining("\n"));
    }

    private static String ofAnyGpu(String text) {
        String kept = FAULT_DETAIL.matcher(OUTSIDE.matcher(text).replaceAll("")).replaceAll("$1(…). ");
        kept = IN_THE_WAY.matcher(RECOVERY.matcher(kept).replaceAll("$1…")).replaceAll("$1…$2");
        kept = THIS_PROCESS.matcher(OTHER_PROCESS.matcher(kept).replaceAll("")).replaceAll("$1…$4");
        return KIND.matcher(GPU.matcher(kept).replaceAll("(the GPU)")).replaceAll("(kind)  ");
    }

    private static String ofAnySize(String text) {
        return DEVICE_ROW.matcher(DEVICE.matcher(text).replaceAll("(the device)")).replaceAll("(the device)");
    }

    /** The words of a page, a line for each row. */
    String page(String html) {
        String rows = ROW.matcher(html).replaceAll("\n").replace('\u00a0', ' ');
        return text(TAG.matcher(rows.replace("<wbr>", "")).replaceAll(" "));
    }

    /** The pictures of a page, one after the other. */
    String pictures(String html) {
        return PICTURE.matcher(html).results().map(Lasting::picture).map(this::text)
                .collect(Collectors.joining("\n"));
    }

    private static String picture(MatchResult found) {
        try {
            return found.group(1).equals("image/svg+xml")
                    ? new String(Base64.getDecoder().decode(found.group(2)), StandardCharsets.UTF_8)
                    : found.group(2);
        } catch (IllegalArgumentException edited) {
            return found.group(2); // no base64: whatever it is, it differs from a picture
        }
    }
}
