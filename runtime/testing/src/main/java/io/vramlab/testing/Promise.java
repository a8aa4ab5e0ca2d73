package io.vramlab.testing;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProfile;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;
import io.vramlab.plan.Plan;
import io.vramlab.plan.ProgramTrace;
import io.vramlab.plan.TraceFormatException;
import io.vramlab.tensor.Pressure;
import io.vramlab.tensor.Scope;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.AssertionFailedError;

/** What a test may take at most, on a GPU. */
final class Promise {

    private static final Pattern SIZE = Pattern.compile("([0-9.]+)\\s*(|B|KiB|MiB|GiB)");
    private static final int MOST_LINES = 5;

    private final long most;
    private final String device;

    Promise(String peak, String device) {
        this.most = bytes(peak);
        this.device = device;
    }

    private static long bytes(String text) {
        Matcher m = SIZE.matcher(text.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException("@GpuMemory(peak = \"" + text
                    + "\") was given. That is no size. Write for instance 1.9 GiB, 512 MiB or 4096.");
        }
        int shift = 10 * List.of("KiB", "MiB", "GiB").indexOf(m.group(2)) + 10;
        return (long) (Double.parseDouble(m.group(1)) * (1L << Math.max(0, shift)));
    }

    /** Runs a program on a shapes-only GPU. */
    void keep(Executable program) throws Throwable {
        Device before = Device.current();
        Device planned = Device.shapesOnly(device);
        boolean strict = Pressure.strict();
        try {
            Pressure.strict(true); // a promise must not depend on when the collector comes
            Device.set(planned);
            Allocators.of(planned).recordHistory(HistoryOptions.all());
            try (Scope scope = Scope.open()) {
                program.execute();
            }
            judge(entries(planned));
        } finally {
            Pressure.strict(strict);
            Device.set(before);
            planned.close();
        }
    }

    private static List<TraceEntry> entries(Device planned) {
        return Allocators.of(planned) instanceof CachingAllocator caching
                ? MemorySnapshot.of(caching).traces().stream().flatMap(List::stream).toList()
                : List.of();
    }

    /** Counts blocks as expandable segments hand them out, so that what is left of a cached block hides no growth. */
    private void judge(List<TraceEntry> entries) {
        long live = 0;
        long peak = 0;
        TraceEntry past = null;
        for (TraceEntry entry : entries) {
            if (entry.action() == TraceAction.ALLOC) {
                live += AllocatorSettings.DEFAULT.roundedSize(entry.size());
            } else if (entry.action() == TraceAction.FREE_REQUESTED) {
                live -= AllocatorSettings.DEFAULT.roundedSize(entry.size());
            }
            peak = Math.max(peak, live);
            past = past == null && live > most ? entry : past;
        }
        if (past != null) {
            List<Frame> frames = CallSites.frames(past.site());
            throw broken(peak, "It went past that with " + Sizes.both(past.size()) + " at "
                    + (frames.isEmpty() ? "a line that is not known" : frames.getFirst()) + ".");
        }
    }

    /** Replays a recording. */
    void keep(Path trace, Path baseline, String settings) {
        Plan plan = plan(trace, settings);
        if (plan.highestAllocated() <= most) {
            return;
        }
        StringBuilder text = new StringBuilder("It went past that in " + plan.passes(most) + ".");
        if (baseline != null) {
            plan.grownSince(plan(baseline, settings)).entrySet().stream().limit(MOST_LINES).forEach(
                    e -> text.append("\n  ").append(e.getKey()).append(" holds ").append(Sizes.both(e.getValue()))
                            .append(" more at the peak"));
        }
        throw broken(plan.highestAllocated(), text.toString());
    }

    private Plan plan(Path file, String settings) {
        try {
            return Plan.of(ProgramTrace.read(file), DeviceProfile.of(device), settings);
        } catch (TraceFormatException unreadable) {
            throw new IllegalArgumentException("@GpuMemory was given the recording " + file + ". Reading it failed: "
                    + unreadable.getMessage()
                    + ". Make one with: python install/vramlab_trace.py -o step.trace script.py",
                    unreadable);
        }
    }

    private AssertionFailedError broken(long peak, String where) {
        return new AssertionFailedError(String.format(Locale.ROOT,
                "At most %s were promised on %s.%nThe program takes %s, %.2f %% more. %s%n"
                        + "Mend what grew, or promise more.",
                Sizes.both(most), device, Sizes.both(peak), 100.0 * (peak - most) / Math.max(1, most), where), most,
                peak);
    }
}
