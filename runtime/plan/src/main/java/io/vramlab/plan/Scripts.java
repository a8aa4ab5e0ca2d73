package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One program's scripts, each written once: by what libraries choose, and by how many steps a GradScaler skips at first. */
final class Scripts {

    private final ProgramTrace trace;
    private final DeviceProperties device;
    private final ScaledSteps scaled;
    private Script assumed;
    private final Map<String, Script> written = new ConcurrentHashMap<>();

    Scripts(ProgramTrace trace, DeviceProperties device) {
        this.trace = trace;
        this.device = device;
        scaled = trace.traits().scaled();
    }

    /** What is taken to be likely until somebody looks closer. */
    void assume(Script likely) {
        assumed = likely;
    }

    /** What is likely, perhaps by another GPU's script. */
    Script atFirstSight() {
        return assumed == null ? of(Choice.LIKELY) : assumed;
    }

    /** With all steps taken. */
    Script of(Choice choice) {
        return written.computeIfAbsent(choice.name(), c -> Script.of(trace, device, choice));
    }

    /** How many first steps may be skipped; empty where nothing can. */
    Set<Integer> skipped() {
        return scaled.counts();
    }

    /** With so many steps skipped at first. */
    Script without(int skipped, Choice choice) {
        return written.computeIfAbsent(choice + " " + skipped,
                c -> Script.of(trace.events(), scaled.order(skipped), device, choice));
    }
}
