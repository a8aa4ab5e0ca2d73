package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** One program's scripts, each written once: by what libraries choose, and by how many steps a GradScaler skips at first. */
final class Scripts {

    private final ProgramTrace trace;
    private final DeviceProperties device;
    private final ScaledSteps scaled;
    private Scripts fewest = this;
    private Scripts most = this;
    private final Map<String, Script> written = new ConcurrentHashMap<>();

    Scripts(ProgramTrace trace, DeviceProperties device) {
        this.trace = trace;
        this.device = device;
        scaled = trace.traits().scaled();
    }

    /** Until somebody looks closer, what GPUs with fewer and with more multiprocessors take counts for this one, too. */
    void assume(Scripts fewer, Scripts more) {
        fewest = fewer;
        most = more;
    }

    /** What is taken to be so, perhaps by another GPU's script. */
    Script atFirstSight(Choice choice) {
        return (choice == Choice.MOST ? most : fewest).of(choice);
    }

    /** The same with so many steps skipped at first, of what is likely. */
    Script atFirstSightWithout(int skipped) {
        return fewest.without(skipped, Choice.LIKELY);
    }

    /** With all steps taken. */
    Script of(Choice choice) {
        return of(choice, "", () -> Script.of(trace, device, Choice.LIKELY),
                () -> Script.of(trace, device, choice));
    }

    /** How many first steps may be skipped; empty where nothing can. */
    Set<Integer> skipped() {
        return scaled.counts();
    }

    /** With so many steps skipped at first. */
    Script without(int skipped, Choice choice) {
        return of(choice, " " + skipped, () -> withoutFirst(skipped, Choice.LIKELY),
                () -> withoutFirst(skipped, choice));
    }

    /** What may be on disk of what was compiled; empty where nothing is. */
    List<Set<String>> kept() {
        return KeptKernels.of(trace.traits());
    }

    /** What is likely where that is on disk. */
    Script keeping(Set<String> kept) {
        return written.computeIfAbsent("kept " + kept,
                c -> Script.of(trace, KeptKernels.order(trace.events(), kept), device,
                        Choice.LIKELY, Shares.EVEN));
    }

    /** The same, perhaps by another GPU's script. */
    Script atFirstSightKeeping(Set<String> kept) {
        return fewest.keeping(kept);
    }

    private Script withoutFirst(int skipped, Choice choice) {
        return Script.of(trace, scaled.order(skipped), device, choice, Shares.EVEN);
    }

    /** What is likely is written; other choices change sizes in it, but where they change more. */
    private Script of(Choice choice, String key, Supplier<Script> likely, Supplier<Script> written) {
        Script base = this.written.computeIfAbsent(Choice.LIKELY + key, k -> likely.get());
        return this.written.computeIfAbsent(choice + key,
                k -> base.changesSizesAlone(choice) ? base.with(choice) : written.get());
    }

    /** With tokens shared out so among experts. */
    Script of(Shares shares) {
        return written.computeIfAbsent(shares + " shares",
                c -> Script.of(trace, device, Choice.LIKELY, shares));
    }

    /** The same, perhaps by another GPU's script. */
    Script atFirstSight(Shares shares) {
        return fewest.of(shares);
    }
}
