package io.vramlab.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.plan.Growth;
import io.vramlab.plan.Plan;
import io.vramlab.plan.PlanReport;
import io.vramlab.plan.ProgramTrace;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what a recorded PyTorch program needs. */
@Command(name = "plan", mixinStandardHelpOptions = true, description = "Tell what a PyTorch program would need on a GPU, from a recording that vramlab_trace.py made on a machine without one: "
        + "does it fit, where is its peak, and who holds it?")
final class PlanCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "TRACE", arity = "1..*", description = "a file that vramlab_trace.py wrote; with --sizes one for each size")
    private List<Path> files;

    private Path file;

    @Option(names = "--device", paramLabel = "PROFILE", description = "a GPU by name, such as H100-80GB, or a capacity; by default the one that the recording was made for")
    private String device = "";

    @Option(names = "--conf", paramLabel = "SETTINGS", description = "settings as in PYTORCH_CUDA_ALLOC_CONF, an empty text for the default ones; may be repeated; the default ones and expandable segments without it")
    private List<String> settings = List.of();

    @Option(names = "--steps", paramLabel = "N", description = "plan the recording up to the end of its N-th optimizer step")
    private int steps;

    @Option(names = "--sizes", paramLabel = "N,N…", split = ",", description = "the batch, or the length of sequences, of each TRACE: tells the largest that fits")
    private List<Long> sizes = List.of();

    @Option(names = "-o", paramLabel = "NOTEBOOK", description = "write a notebook that shows the plan, too")
    private Path notebook;

    @Option(names = "--json", description = "print one object; all sizes in bytes")
    private boolean json;

    @Override
    public Integer call() {
        if (files.size() != Math.max(1, sizes.size())) {
            throw new CommandFailure(files.size() + " recordings and " + sizes.size() + " sizes were given.",
                    "One recording is planned, or several of one program with --sizes, a size for each.",
                    "For instance: vramlab plan --sizes 8,16 batch8.trace batch16.trace");
        }
        file = files.getLast();
        ProgramTrace trace = trace();
        DeviceProperties chosen = device(trace);
        try {
            List<Plan> plans = Plan.of(trace, chosen,
                    settings.isEmpty() ? List.of("", "expandable_segments:True") : settings);
            List<Plan> others = DeviceProfile.all().parallelStream()
                    .filter(other -> device.isEmpty() && !other.name().equals(chosen.name()))
                    .map(other -> Plan.brief(trace, other)).toList();
            String text = PlanReport.text(trace, plans, others) + growth(plans.getFirst());
            spec.commandLine().getOut().println(json ? PlanReport.json(trace, plans, others) : text);
            write(plans.getFirst(), text);
            return plans.stream().allMatch(Plan::fits) ? Main.OK : Main.FAILED;
        } catch (IllegalArgumentException | IllegalStateException refused) {
            throw new CommandFailure(file + " was to be planned.", refused.getMessage(), sizes.isEmpty()
                    ? "The settings are those of PYTORCH_CUDA_ALLOC_CONF, for instance expandable_segments:True."
                    : "Each recording belongs to the size at its place in --sizes.");
        }
    }

    /** The largest size that fits, where several were recorded; the last recording is planned already. */
    private String growth(Plan planned) {
        if (sizes.isEmpty()) {
            return "";
        }
        TreeMap<Long, Plan> plans = new TreeMap<>();
        for (int i = 0; i < sizes.size() - 1; i++) {
            file = files.get(i);
            plans.put(sizes.get(i), Plan.of(trace(), planned.device(), planned.settings()));
        }
        file = files.getLast();
        plans.put(sizes.getLast(), planned);
        return "\n\n" + (planned.settings().isEmpty() ? "Default settings" : planned.settings()) + ": "
                + Growth.of(plans).text();
    }

    private void write(Plan plan, String text) {
        if (notebook == null) {
            return;
        }
        try {
            PlanNotebook.write(notebook, file, plan.device().name(), text);
        } catch (IOException failed) {
            throw new CommandFailure("The notebook " + notebook + " was to be written.",
                    "That failed: " + failed.getClass().getSimpleName() + ", " + failed.getMessage(),
                    "Name a file in a folder that can be written.");
        }
    }

    private ProgramTrace trace() {
        try {
            ProgramTrace read = ProgramTrace.read(file);
            return steps == 0 ? read : read.upToStep(steps);
        } catch (IllegalArgumentException tooMany) {
            throw new CommandFailure("--steps " + steps + " was given.", tooMany.getMessage(),
                    "Choose one of them, or record more steps.");
        } catch (IOException unreadable) {
            throw new CommandFailure("The recording " + file + " was to be read.",
                    "That failed: " + unreadable.getClass().getSimpleName() + ", " + unreadable.getMessage(),
                    "Make one with: python install/vramlab_trace.py -o step.trace script.py");
        }
    }

    private DeviceProperties device(ProgramTrace trace) {
        String name = device.isEmpty() ? trace.device().replace("H200-141GB", "H200") : device;
        try {
            return DeviceProfile.find(name).orElseGet(() -> DeviceProfile.of(name));
        } catch (DeviceException unknown) {
            throw new CommandFailure("--device " + name + " was asked for.", unknown.getMessage(),
                    "Choose one of these, or a size such as 24GiB.");
        }
    }
}
