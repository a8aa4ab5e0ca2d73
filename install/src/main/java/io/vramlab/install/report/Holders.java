package io.vramlab.install.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.vramlab.install.story.Moment;
import io.vramlab.install.story.Places;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.memory.Sizes;

/** Who holds memory at a moment: by the stack that allocated it or, where the history kept none, by size. */
final class Holders {

    private static final int MOST_FRAMES = 3;
    /** With more exact sizes than this, ranges tell more. */
    private static final int MOST_NAMES = 40;

    private Holders() {
    }

    /** A group of blocks. */
    record Holder(String name, int blocks, long bytes) {
    }

    /** The groups, largest first. */
    static List<Holder> of(Moment moment) {
        return since(moment, Integer.MIN_VALUE);
    }

    /** The groups of the blocks that came after an event and are still there, largest first. */
    static List<Holder> since(Moment later, int event) {
        List<Moment.Held> held = later.blocks().values().stream().filter(block -> block.event() > event).toList();
        boolean many = held.stream().map(Holders::name).distinct().count() > MOST_NAMES;
        Map<String, Holder> groups = new HashMap<>();
        for (Moment.Held block : held) {
            String name = many && block.site() == 0 ? range(block.bytes()) : name(block);
            groups.merge(name, new Holder(name, 1, block.bytes()),
                    (a, b) -> new Holder(name, a.blocks + b.blocks, a.bytes + b.bytes));
        }
        return sorted(groups);
    }

    /** A size's range between powers of two: sizes that vary from step to step are one group so. */
    private static String range(long bytes) {
        long from = Math.max(512, Long.highestOneBit(bytes));
        return bytes < 512 ? "blocks below 512 bytes" : "blocks of " + power(from) + " to " + power(2 * from);
    }

    /** A power of two in the largest unit that it is a multiple of. */
    private static String power(long bytes) {
        return bytes < 1 << 10
                ? bytes + " bytes"
                : bytes < 1 << 20
                        ? (bytes >> 10) + " KiB"
                        : bytes < 1 << 30 ? (bytes >> 20) + " MiB" : (bytes >> 30) + " GiB";
    }

    private static List<Holder> sorted(Map<String, Holder> groups) {
        List<Holder> list = new ArrayList<>(groups.values());
        list.sort(Comparator.comparingLong(Holder::bytes).reversed().thenComparing(Holder::name));
        return list;
    }

    private static String name(Moment.Held held) {
        List<Frame> frames = held.site() == 0 ? List.of() : telling(CallSites.frames(held.site()));
        return frames.isEmpty()
                ? "blocks of " + Sizes.both(held.bytes())
                : frames.stream().limit(MOST_FRAMES).map(Holders::place).collect(Collectors.joining(" ← "));
    }

    /** The innermost frame of Python's and, of those around it, the user's: what lies between is the library's way from one to the other. */
    private static List<Frame> telling(List<Frame> all) {
        List<Frame> python = all.stream().filter(frame -> !Places.isNative(frame)).toList();
        List<Frame> frames = python.isEmpty() ? all : python;
        List<Frame> telling = new ArrayList<>(frames.stream().limit(1).toList());
        frames.stream().skip(1).filter(frame -> !Places.isLibrary(frame)).forEach(telling::add);
        return telling.size() > 1 ? telling : frames;
    }

    private static String place(Frame frame) {
        String file = frame.file()
                .substring(Math.max(frame.file().lastIndexOf('/'), frame.file().lastIndexOf('\\')) + 1);
        return file + ":" + frame.line() + " " + frame.method();
    }
}
