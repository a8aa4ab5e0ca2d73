package io.vramlab.plan;

import io.vramlab.memory.AllocatorSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a program holds at one of its steps: whose it is, and which lines made it. */
final class PeakHolders {

    private static final Pattern NUMBERED = Pattern.compile("\\.\\d+");

    private final ScriptPlaces places;
    private final AllocatorSettings rounding;
    /** Blocks, with the step that took each. */
    private final Map<Long, Integer> held = new HashMap<>();

    /**
     * What is held right after a step.
     *
     * @param settings
     *            how sizes are rounded
     */
    PeakHolders(ScriptPlaces places, String settings, int step) {
        this.places = places;
        rounding = AllocatorSettings.DEFAULT.with(settings);
        Script script = places.script();
        for (int i = 0; i <= Math.min(step, script.length() - 1); i++) {
            if (script.takes(i)) {
                held.put(script.block(i), i);
            } else if (script.kind(i) == Script.GIVE) {
                held.remove(script.block(i));
            }
        }
    }

    /** What each line of the program holds, in bytes as allocated: the line that made it. */
    Map<String, Long> byLine() {
        Map<String, Long> lines = new HashMap<>();
        held.forEach((block, step) -> {
            if (places.script().bytes(step) > 0) {
                lines.merge(places.line(step), allocated(step), Long::sum);
            }
        });
        return lines;
    }

    /** Who holds it, the largest share first. */
    List<Share> shares() {
        Map<String, Share> shares = new HashMap<>();
        held.forEach((block, step) -> {
            String holder = holder(block, step);
            shares.merge(holder, new Share(holder, allocated(step), 1),
                    (a, b) -> new Share(a.holder(), a.bytes() + b.bytes(), a.count() + b.count()));
        });
        List<Share> sorted = new ArrayList<>(shares.values());
        sorted.sort(Comparator.comparingLong(Share::bytes).reversed().thenComparing(Share::holder));
        return sorted;
    }

    private long allocated(int step) {
        long bytes = places.script().bytes(step);
        return bytes == 0 ? 0 : rounding.roundedSize(bytes);
    }

    private String holder(long block, int step) {
        if (block < 0) {
            String label = places.script().label(block);
            return label != null ? label : "inside of operations";
        }
        ProgramTrace.Holder known = places.trace().holder(block);
        if (known != null) {
            return switch (known.kind()) {
                case "parameter" -> "parameters";
                case "gradient" -> "gradients";
                case "buffer" -> "buffers";
                default -> "optimizer's state";
            };
        }
        if (!(places.event(step) instanceof Operation o)) {
            return "from before the recording";
        }
        return switch (o.phase()) {
            case OPTIMIZER -> "temporaries of the optimizer";
            case BACKWARD -> "temporaries of backward";
            case FORWARD ->
                o.module() == 0 ? "tensors made outside of modules" : "activations of " + coarse(o.module());
        };
    }

    /** A module's path without the parts below the first number: layers are told apart, not what is in them. */
    private String coarse(int module) {
        String path = places.trace().module(module);
        Matcher number = NUMBERED.matcher(path);
        return number.find() ? path.substring(0, number.end()) : path;
    }
}
