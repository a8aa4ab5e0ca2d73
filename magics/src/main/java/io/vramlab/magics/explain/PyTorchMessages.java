package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the messages of PyTorch's caching allocators: CUDA's in each wording since 1.0, ROCm's, XPU's, and MPS's. */
final class PyTorchMessages {

    private static final String A = "(" + Amount.PATTERN + ")";

    private static final Pattern TRIED = Pattern
            .compile("(?:(?:CUDA|HIP|XPU|NPU|MUSA|MLU) out of memory\\.? ?)?Tried to allocate (?:" + A
                    + "|(more than 1EB memory))(?! on (?:private|shared) pool)");
    /** PyTorch 1.0 to 2.0: everything in brackets. */
    private static final Pattern BRACKETS = Pattern
            .compile("\\G[ .]*\\((?:GPU|NPU|MUSA|MLU) +(\\d+); " + A + " total capacity; " + A
                    + " already allocated; (?:" + Amount.PATTERN + " current active; )?(?:" + A + " free; )?(?:" + A
                    + " allowed; )?" + A
                    + " (cached|reserved in total by PyTorch)\\)?");
    private static final Pattern SPLIT_HINT = Pattern.compile("If reserved memory is >> allocated memory");
    /** PyTorch 2.1 and later: sentences. */
    private static final Pattern CAPACITY = Pattern
            .compile("\\G\\. GPU (\\d+) has a total (capacty|capacity) of " + A + "(?: of which " + A
                    + " is free)?\\.");
    private static final Pattern THIS_PROCESS = Pattern
            .compile("Including non-PyTorch memory, this process has " + A + " memory in use\\.");
    private static final Pattern OTHER_PROCESS = Pattern
            .compile("Process (\\d+) has " + A + " memory in use\\.");
    private static final Pattern ALLOWED = Pattern.compile(A + " allowed;");
    private static final Pattern USE = Pattern.compile("Of the allocated memory " + A
            + " is allocated by PyTorch, (?:with " + A
            + " allocated in private pools \\(e\\.g\\., (?:CUDA|HIP) Graphs\\), )?and "
            + A + " is reserved by PyTorch but unallocated");
    private static final Pattern HINT = Pattern.compile("try setting (?:(PYTORCH_\\w*ALLOC_CONF)=)?(\\w+)");
    private static final Pattern MPS = Pattern.compile("MPS backend out of memory \\(MPS allocated: " + A
            + ", other allocations: " + A + ", max allowed: " + A + "\\)\\. Tried to allocate " + A
            + " on (private|shared) pool");

    private PyTorchMessages() {
    }

    /** All of them, in the order of the text, whose white space is folded. */
    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        Matcher tried = TRIED.matcher(text);
        while (tried.find()) {
            found.add(caching(text, tried));
        }
        Matcher mps = MPS.matcher(text);
        while (mps.find()) {
            found.add(mps(mps));
        }
        return found;
    }

    private static Message caching(String text, Matcher tried) {
        List<Figure> figures = new ArrayList<>();
        if (tried.group(2) != null) {
            return new Message(Message.Source.PYTORCH, "more than 1EB", "every one", -1, figures, tried.start(),
                    tried.group());
        }
        figures.add(new Figure(Role.TRIED, "tried to allocate", amount(tried.group(1)),
                "what the allocator asked the driver for after it had found no hole: the block that the line needed, "
                        + "rounded up to a segment"));
        Matcher brackets = BRACKETS.matcher(text).region(tried.end(), text.length());
        if (brackets.lookingAt()) {
            return brackets(text, tried, brackets, figures);
        }
        Matcher capacity = CAPACITY.matcher(text).region(tried.end(), text.length());
        if (capacity.lookingAt()) {
            return sentences(text, tried, capacity, figures);
        }
        return new Message(Message.Source.PYTORCH, "cut off after the request",
                "any; 2.3 is known to cut it (pytorch issue 126766)", -1, figures, tried.start(), tried.group());
    }

    private static Message brackets(String text, Matcher tried, Matcher found, List<Figure> figures) {
        boolean cached = found.group(7).equals("cached");
        figures.add(capacity(found.group(2)));
        figures.add(allocated(found.group(3)));
        free(found.group(4)).ifPresent(figures::add);
        if (found.group(5) != null) {
            figures.add(allowed(found.group(5)));
        }
        figures.add(cached
                ? new Figure(Role.CACHED, "cached", amount(found.group(6)),
                        "held by PyTorch and in use by no tensor")
                : new Figure(Role.RESERVED, "reserved", amount(found.group(6)),
                        "held by PyTorch from the driver: in use by tensors, or cached"));
        boolean hint = !cached && follows(text, found.end(), SPLIT_HINT);
        String form = cached ? "cached" : hint ? "reserved, max_split_size_mb hint" : "reserved in total";
        String versions = cached
                ? "1.0 to 1.3"
                : hint ? "1.10 or 1.11 to 2.0" : "1.4 to 1.10; later ones where the hint was cut off";
        return new Message(Message.Source.PYTORCH, form, versions, Integer.parseInt(found.group(1)), figures,
                tried.start(), text.substring(tried.start(), found.end()));
    }

    private static Message sentences(String text, Matcher tried, Matcher found, List<Figure> figures) {
        figures.add(capacity(found.group(3)));
        free(found.group(4)).ifPresent(figures::add);
        Matcher use = USE.matcher(text).region(found.end(), text.length());
        int next = next(text, found.end());
        boolean whole = use.find() && use.start() < next;
        int end = whole ? use.end() : next;
        Matcher other = OTHER_PROCESS.matcher(text).region(found.end(), end);
        while (other.find()) {
            figures.add(new Figure(Role.OTHER_PROCESS, "process " + other.group(1), amount(other.group(2)),
                    "all that this process number holds on the device, as the driver counts it"));
        }
        Matcher own = THIS_PROCESS.matcher(text).region(found.end(), end);
        if (own.find()) {
            figures.add(new Figure(Role.THIS_PROCESS, "this process", amount(own.group(1)),
                    "what PyTorch reserved and what lies outside of it: the CUDA context, libraries, NCCL"));
        }
        Matcher limit = ALLOWED.matcher(text).region(found.end(), end);
        if (limit.find()) {
            figures.add(allowed(limit.group(1)));
        }
        if (whole) {
            figures.add(allocated(use.group(1)));
            if (use.group(2) != null) {
                figures.add(new Figure(Role.PRIVATE, "in private pools", amount(use.group(2)),
                        "set aside for CUDA graphs or other private pools; part of \"allocated\" in this message, and of no "
                                + "use to anything else"));
            }
            figures.add(new Figure(Role.CACHED, "reserved but unallocated", amount(use.group(3)),
                    "held by PyTorch and in use by no tensor: its cache"));
        }
        return form(text, tried, found, end, figures);
    }

    private static Message form(String text, Matcher tried, Matcher found, int end, List<Figure> figures) {
        Matcher hint = HINT.matcher(text).region(end, Math.min(text.length(), end + 200));
        boolean hinted = hint.find();
        boolean typo = found.group(2).equals("capacty");
        boolean expandable = hinted && hint.group(2).equals("expandable_segments");
        String variable = hinted && hint.group(1) != null ? hint.group(1) : "";
        String form = typo ? "capacty" : expandable ? "expandable_segments hint" : "capacity";
        String versions = typo
                ? "2.1"
                : variable.equals("PYTORCH_ALLOC_CONF")
                        ? "2.10, perhaps others"
                        : text.startsWith("docs.pytorch.org", Math.max(0, text.indexOf("https://", end) + 8))
                                ? "2.11"
                                : "2.2 and later";
        return new Message(Message.Source.PYTORCH, form, versions, Integer.parseInt(found.group(1)), figures,
                tried.start(), text.substring(tried.start(), end));
    }

    private static Message mps(Matcher found) {
        List<Figure> figures = List.of(
                new Figure(Role.TRIED, "tried to allocate", amount(found.group(4)), "the buffer that was asked for"),
                new Figure(Role.ALLOCATED, "MPS allocated", amount(found.group(1)),
                        "buffers of PyTorch's allocator, in use or cached"),
                new Figure(Role.OTHER_PROCESS, "other allocations", amount(found.group(2)),
                        "what this process holds of the GPU's memory beside it"),
                new Figure(Role.ALLOWED, "max allowed", amount(found.group(3)),
                        "the high watermark: 1.7 times the recommended working set unless PYTORCH_MPS_HIGH_WATERMARK_RATIO "
                                + "says otherwise"));
        return new Message(Message.Source.PYTORCH_MPS, "MPS", "1.13 and later", -1, figures, found.start(),
                found.group());
    }

    /** Where the next message begins, or the text ends: figures behind that are another's. */
    private static int next(String text, int from) {
        Matcher tried = TRIED.matcher(text).region(from, text.length());
        return tried.find() ? tried.start() : text.length();
    }

    private static boolean follows(String text, int from, Pattern words) {
        Matcher found = words.matcher(text).region(from, Math.min(text.length(), from + 60));
        return found.find();
    }

    private static Figure capacity(String text) {
        return new Figure(Role.CAPACITY, "capacity", amount(text), "the device's memory, as the driver tells it");
    }

    /** XPU's messages do not tell it. */
    private static Optional<Figure> free(String text) {
        return Optional.ofNullable(text).map(told -> new Figure(Role.FREE, "free", amount(told),
                "what the driver had left for everybody, after PyTorch had given back what of its cache it could"));
    }

    private static Figure allocated(String text) {
        return new Figure(Role.ALLOCATED, "allocated", amount(text), "in blocks that tensors and workspaces use");
    }

    private static Figure allowed(String text) {
        return new Figure(Role.ALLOWED, "allowed", amount(text),
                "the most that PyTorch may reserve in this process: set_per_process_memory_fraction");
    }

    private static Amount amount(String text) {
        return Amount.parse(text).orElseThrow();
    }
}
