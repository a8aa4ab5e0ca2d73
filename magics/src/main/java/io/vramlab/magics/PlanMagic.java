package io.vramlab.magics;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProperties;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Progress;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.picture.Bars;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.plan.Plan;
import io.vramlab.plan.PlanReport;
import io.vramlab.plan.ProgramTrace;
import io.vramlab.plan.SettingsRefusal;
import io.vramlab.plan.Share;
import io.vramlab.plan.TraceFormatException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code %plan}: what a recorded PyTorch program needs, as {@code vramlab plan} tells it. */
public final class PlanMagic extends OptionMagic {

    private static final String SETTINGS = ";expandable_segments:True";
    /** As which kind of tensor a holder is drawn. */
    private static final Map<String, String> KINDS = Map.of("parameters", "Parameter", "gradients", "Gradient",
            "optimizer's state", "OptimizerState", "temporaries of the optimizer", "Temporary");

    /** Found by the kernel. */
    public PlanMagic() {
        super("plan", Options
                .of("%plan", "Tells what a recorded PyTorch program needs on a GPU, before it runs on one.")
                .words("TRACE", 1, 1, "a file that vramlab_trace.py wrote")
                .files()
                .value("on", "GPU", "a GPU's name or a size; the one that was recorded for without it", Gpu.profiles())
                .value("conf", "SETTINGS", "settings to plan under, several separated by semicolons; "
                        + "the default ones and expandable segments without it")
                .value("steps", "N", "up to the end of the N-th optimizer step")
                .detail("A trace is made on a machine without a GPU: python install/vramlab_trace.py -o step.trace train.py")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        ProgramTrace trace = trace(arguments);
        DeviceProperties gpu = gpu(arguments, trace);
        List<Plan> plans = plans(trace, gpu,
                Arrays.stream(arguments.value("conf").orElse(SETTINGS).split(";", -1)).map(String::strip).toList());
        RowBuilder rows = new RowBuilder().text("settings", "fits").number("allocated peak bytes",
                "reserved peak bytes",
                "least reserved bytes", "most reserved bytes");
        for (Plan plan : plans) {
            rows.row(plan.settings().isEmpty() ? "default" : plan.settings(), plan.verdict().text(), plan.allocated(),
                    plan.reserved(), plan.leastReserved(), plan.mostReserved());
        }
        Plan first = plans.getFirst();
        ReportTable report = rows.report(trace.script() + " on " + gpu.name() + ": " + first.verdict().text());
        report.note("The peak is reached in " + first.peakAt() + ".");
        if (first.isReset()) {
            report.note("Peaks are counted since the program last called reset_peak_memory_stats; in the whole run "
                    + ReadableSizes.text(first.highestAllocated()) + " were allocated and "
                    + ReadableSizes.text(first.highestReserved()) + " reserved at most.");
        }
        plans.stream().filter(plan -> !plan.failedAt().isEmpty()).findFirst()
                .ifPresent(plan -> report.note("Memory runs out in " + plan.failedAt() + "."));
        PlanReport.withoutARule(first).ifPresent(report::note);
        if (!first.estimated().isEmpty()) {
            report.note("Workspaces of " + String.join(", ", first.estimated().keySet())
                    + " are cuDNN's choice; what is counted for them is an estimate.");
        }
        trace.notes().forEach(note -> report.note("The recorder had to guess: " + note));
        return report.section(holders(first));
    }

    private static ReportTable holders(Plan plan) {
        RowBuilder rows = new RowBuilder().text("who holds the peak").number("count", "bytes");
        for (Share share : plan.holders()) {
            rows.row(share.holder(), share.count(), share.bytes());
        }
        String words = "Who holds the peak of " + ReadableSizes.text(plan.highestAllocated());
        Kinds kinds = new Kinds(true);
        return rows.report("In figures").picture(Bars.draw(words, plan.holders().stream()
                .map(share -> new Bars.Bar(share.holder(), share.bytes(),
                        kinds.paint(KINDS.getOrDefault(share.holder(), "Other"))))
                .toList()), false);
    }

    private static List<Plan> plans(ProgramTrace trace, DeviceProperties gpu, List<String> settings)
            throws UsageException {
        for (String given : settings) {
            Optional<String> why = SettingsRefusal.of(given);
            if (why.isPresent()) {
                throw new UsageException("%plan: --conf " + given + " was given. " + why.get()
                        + " The settings are those of PYTORCH_CUDA_ALLOC_CONF, for instance expandable_segments:True.");
            }
        }
        try (Progress planned = Progress.ifLong("%plan", 0)) {
            return Plan.of(trace, gpu, settings);
        }
    }

    private static ProgramTrace trace(Arguments arguments) throws UsageException {
        String name = arguments.words().get(0);
        ProgramTrace read;
        try {
            read = ProgramTrace.read(Path.of(name));
        } catch (InvalidPathException | TraceFormatException e) {
            throw new UsageException("%plan: the recording " + name + " was to be read. That failed: "
                    + (e instanceof TraceFormatException ? e.getMessage() : "no file can have that name")
                    + ". Make one with: python install/vramlab_trace.py -o step.trace script.py");
        }
        if (!arguments.has("steps")) {
            return read;
        }
        String steps = arguments.value("steps").orElseThrow();
        try {
            return read.upToStep(Integer.parseInt(steps));
        } catch (IllegalArgumentException e) {
            throw new UsageException("%plan: --steps " + steps + " was given. "
                    + (e instanceof NumberFormatException ? "It is a whole number." : e.getMessage())
                    + " Choose one of the recorded steps.");
        }
    }

    private static DeviceProperties gpu(Arguments arguments, ProgramTrace trace) throws UsageException {
        String name = arguments.value("on").orElse(trace.device());
        try {
            return trace.gpu(name);
        } catch (DeviceException e) {
            throw new UsageException("%plan --on " + name + ": " + e.getMessage());
        }
    }
}
