package io.vramlab.install;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.vramlab.device.ByteSize;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.memory.Sizes;
import io.vramlab.plan.Growth;
import io.vramlab.plan.Plan;
import io.vramlab.plan.PlanReport;
import io.vramlab.plan.ProgramTrace;
import io.vramlab.plan.SettingsRefusal;
import io.vramlab.plan.TraceFormatException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what a recorded PyTorch program needs. */
@Command(name = "plan", addMethodSubcommands = false, mixinStandardHelpOptions = true, description = "Tell what a PyTorch program would need on a GPU, from a recording that vramlab_trace.py made on a machine without one: "
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
    private Integer steps;

    @Option(names = "--sizes", paramLabel = "N,N…", split = ",", description = "the batch, or the length of sequences, of each TRACE: tells the largest that fits")
    private List<Long> sizes = List.of();

    @Option(names = "--peak", paramLabel = "SIZE", description = "promise that at most so much is allocated, such as 1.9GiB: the exit status is 1 if it is more, and the operation is told that goes past it")
    private String peak = "";

    @Option(names = "-o", paramLabel = "NOTEBOOK", description = "write a notebook that shows the plan, too")
    private Path notebook;

    @Option(names = "--json", description = "print one object; all sizes in bytes")
    private boolean json;

    @Override
    public Integer call() {
        if (files.size() != Math.max(1, sizes.size())) {
            throw new CommandFailure(files.size() + " recordings and " + sizes.size() + " sizes were given.",
                    "One recording is planned, or several of one program with --sizes, a size for each.",
                    "For instance: " + StartedAs.command() + " plan --sizes 8,16 batch8.trace batch16.trace");
        }
        checkSizes();
        Optional<Long> promised = promised();
        checkSettings();
        checkNotebook();
        file = files.getLast();
        ProgramTrace trace = trace();
        DeviceProperties chosen = device(trace);
        List<Plan> plans = Plan.of(trace, chosen,
                settings.isEmpty() ? List.of("", "expandable_segments:True") : settings);
        List<Plan> others = Plan.brief(trace, DeviceProfile.all().stream()
                .filter(other -> device.isEmpty() && !other.name().equals(chosen.name())).toList(), plans);
        Optional<Growth> growth = growth(plans.getFirst());
        String text = PlanReport.text(trace, plans, others) + growth.map(found -> "\n\n"
                + (plans.getFirst().settings().isEmpty() ? "Default settings" : plans.getFirst().settings()) + ": "
                + found.text()).orElse("")
                + promised.map(most -> "\n\n" + kept(plans, most)).orElse("");
        spec.commandLine().getOut().println(json ? PlanReport.json(trace, plans, others, growth) : text);
        write(plans.getFirst(), text);
        return plans.stream().allMatch(Plan::fits)
                && promised.stream().allMatch(most -> plans.stream().allMatch(plan -> plan.highestAllocated() <= most))
                        ? Main.OK
                        : Main.FAILED;
    }

    private Optional<Long> promised() {
        if (peak.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(ByteSize.parse(peak).orElseThrow(() -> new CommandFailure("--peak " + peak + " was given.",
                "That is no size.", "Write a number with a unit, for instance 1.9GiB, 500MiB or 2GB.")));
    }

    /** Whether a promise of the most that is allocated is kept under each of the settings. */
    private static String kept(List<Plan> plans, long most) {
        return "Promised: at most " + Sizes.both(most) + " allocated.\n" + plans.stream().map(plan -> "  "
                + (plan.settings().isEmpty() ? "default settings" : plan.settings())
                + (plan.highestAllocated() <= most
                        ? ": kept, " + Sizes.both(plan.highestAllocated())
                        : ": broken by " + Sizes.both(plan.highestAllocated() - most) + "; it went past that in "
                                + plan.passes(most)))
                .collect(Collectors.joining("\n"));
    }

    private void checkSizes() {
        if (sizes.isEmpty()) {
            return;
        }
        String wrong = sizes.stream().anyMatch(size -> size < 1)
                ? "A size is a whole number from 1 on."
                : sizes.stream().distinct().count() < sizes.size()
                        ? "Two recordings of one size tell nothing of growth."
                        : sizes.size() < 2 ? "A line through peaks needs two sizes." : "";
        if (!wrong.isEmpty()) {
            throw new CommandFailure("--sizes " + sizesText() + " was given.", wrong,
                    "Record the program with two sizes, for instance: " + StartedAs.command()
                            + " plan --sizes 8,16 batch8.trace batch16.trace");
        }
    }

    private String sizesText() {
        return sizes.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private void checkSettings() {
        for (String given : settings) {
            SettingsRefusal.of(given).ifPresent(why -> {
                throw new CommandFailure("--conf " + given + " was given.", why,
                        "The settings are those of PYTORCH_CUDA_ALLOC_CONF, for instance expandable_segments:True.");
            });
        }
    }

    private void checkNotebook() {
        if (notebook == null) {
            return;
        }
        Path folder = notebook.toAbsolutePath().getParent();
        String wrong = Files.isDirectory(notebook)
                ? "That is a folder."
                : folder == null || !Files.isDirectory(folder)
                        ? "There is no folder " + folder + "."
                        : files.stream().anyMatch(notebook.toAbsolutePath()::equals)
                                || files.stream().anyMatch(notebook::equals) ? "That is the recording." : "";
        if (!wrong.isEmpty()) {
            throw notWritten(wrong);
        }
    }

    private CommandFailure notWritten(String why) {
        return new CommandFailure("The notebook " + notebook + " was to be written.", why,
                "Name a file that ends with .ipynb, in a folder that you may write to.");
    }

    /** The largest size that fits, where several were recorded; the last recording is planned already. */
    private Optional<Growth> growth(Plan planned) {
        if (sizes.isEmpty()) {
            return Optional.empty();
        }
        TreeMap<Long, Plan> plans = new TreeMap<>();
        for (int i = 0; i < sizes.size() - 1; i++) {
            file = files.get(i);
            plans.put(sizes.get(i), Plan.of(trace(), planned.device(), planned.settings()));
        }
        file = files.getLast();
        plans.put(sizes.getLast(), planned);
        try {
            return Optional.of(Growth.of(plans));
        } catch (IllegalArgumentException flat) {
            throw new CommandFailure("--sizes " + sizesText() + " was given.", flat.getMessage(),
                    "Each recording belongs to the size at its place in --sizes.");
        }
    }

    private void write(Plan plan, String text) {
        if (notebook == null) {
            return;
        }
        try {
            PlanNotebook.write(notebook, file, plan.device().name(), text);
        } catch (IOException failed) {
            throw notWritten(failed instanceof AccessDeniedException
                    ? "You may not write there."
                    : failed instanceof FileSystemException named && named.getReason() != null
                            ? "The system refused: " + named.getReason() + "."
                            : "The system refused to write all of it.");
        }
    }

    private ProgramTrace trace() {
        try {
            ProgramTrace read = ProgramTrace.read(file);
            return steps == null ? read : read.upToStep(steps);
        } catch (IllegalArgumentException tooMany) {
            throw new CommandFailure("--steps " + steps + " was given.", tooMany.getMessage(),
                    "Choose one of them, or record more steps.");
        } catch (TraceFormatException unreadable) {
            throw new CommandFailure("The recording " + file + " was to be read.",
                    "That failed: " + unreadable.getMessage() + ".",
                    FileKind.of(file).filter(kind -> kind != FileKind.RECORDING).map(kind -> kind.typed(file))
                            .orElse("Make one with: " + StartedAs.recorder() + " -o step.trace script.py"));
        }
    }

    private DeviceProperties device(ProgramTrace trace) {
        String name = device.isEmpty() ? trace.device() : device;
        try {
            return trace.gpu(name);
        } catch (DeviceException unknown) {
            throw new CommandFailure(device.isEmpty()
                    ? "The recording " + file + " was to be planned for its own GPU, " + name + "."
                    : "--device " + name + " was asked for.", unknown.getMessage(),
                    "Choose one of these, or a size such as 24GiB.");
        }
    }
}
