package io.vramlab.install;

import java.nio.file.Path;
import java.util.Map;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.memory.Sizes;
import io.vramlab.plan.Plan;
import io.vramlab.plan.ProgramTrace;
import io.vramlab.plan.TraceFormatException;

/** Two recordings of a program: which of its lines hold more or less at the peak. */
final class TraceDifference {

    private TraceDifference() {
    }

    /**
     * The two as a text, and the bytes that each has allocated at its peak.
     *
     * @param before
     *            of the first
     * @param after
     *            of the second
     */
    record Told(String text, long before, long after) {
    }

    static Told of(Path first, Path second) {
        Plan before = plan(first);
        Plan after = plan(second);
        StringBuilder text = new StringBuilder();
        text.append("peak allocated: ").append(Sizes.both(before.highestAllocated())).append(" | ")
                .append(Sizes.both(after.highestAllocated())).append('\n');
        text.append("peak reserved: ").append(Sizes.both(before.highestReserved())).append(" | ")
                .append(Sizes.both(after.highestReserved()));
        lines(text, "\nheld at the peak by the second, and not by the first:", after.grownSince(before));
        lines(text, "\nheld at the peak by the first, and not by the second:", before.grownSince(after));
        return new Told(text.toString(), before.highestAllocated(), after.highestAllocated());
    }

    private static void lines(StringBuilder text, String head, Map<String, Long> lines) {
        if (!lines.isEmpty()) {
            text.append('\n').append(head);
            lines.forEach((line, bytes) -> text.append("\n  ").append(Sizes.both(bytes)).append("  ").append(line));
        }
    }

    private static Plan plan(Path file) {
        try {
            ProgramTrace trace = ProgramTrace.read(file);
            return Plan.of(trace, DeviceProfile.of(trace.device()), "");
        } catch (TraceFormatException unreadable) {
            throw new CommandFailure("The recording " + file + " was to be read.",
                    "That failed: " + unreadable.getMessage() + ".",
                    "Make one with: " + StartedAs.recorder() + " -o step.trace script.py");
        } catch (DeviceException unknown) {
            throw new CommandFailure("The recording " + file + " was to be planned for its GPU.", unknown.getMessage(),
                    "Make one with: " + StartedAs.recorder() + " -o step.trace script.py");
        }
    }
}
