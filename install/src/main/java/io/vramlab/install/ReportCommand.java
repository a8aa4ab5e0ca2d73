package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.vramlab.install.report.SnapshotReport;
import io.vramlab.install.report.ReportVerdict;
import io.vramlab.install.report.VerdictData;
import io.vramlab.install.source.SourceFiles;
import io.vramlab.install.source.UserProgram;
import io.vramlab.kernel.spi.option.Words;
import io.vramlab.magics.text.FileTrouble;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.WholeFile;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Turns a snapshot into a readable notebook. */
@Command(name = "report", addMethodSubcommands = false, mixinStandardHelpOptions = true, description = "Say why a memory snapshot's program, PyTorch's or ours, ran out, on which line and what is proven to help; and write a notebook: its story, the cause, "
        + "who held the peak, fragmentation, and what other settings would have led to.")
final class ReportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SNAPSHOT", description = "a file of torch.cuda.memory._dump_snapshot or of %%memory_snapshot, gzip-compressed or not")
    private Path file;

    @Option(names = {"-o",
            "--output"}, paramLabel = "NOTEBOOK", description = "the notebook's file (default: the snapshot's name with .ipynb, where you are)")
    private Path output;

    @Option(names = "--source", paramLabel = "PATH", description = "a folder or file of the program's source, which may be named again and again: of the files that the snapshot names those below it are read, and the report shows and weighs their lines; of a history without stacks a file (default: the current folder, the snapshot's, and where the snapshot says, if the file is its owner's)")
    private List<Path> sources = List.of();

    @Option(names = "--no-source", description = "read no source, wherever it is")
    private boolean sourceless;

    @Option(names = "--json", description = "print all that was found as JSON, and write a notebook only with -o")
    private boolean json;

    @Option(names = "--force", description = "write over a file that is there")
    private boolean force;

    @Override
    public Integer call() {
        boolean input = SnapshotFile.isStandardInput(file);
        if (input && output != null) {
            throw new CommandFailure("A notebook was to be written of a snapshot from standard input.",
                    "Its cells read the snapshot's file again, and there is none.",
                    "Save it under a name and name that; or leave -o out, and the verdict is printed.");
        }
        requireName();
        if (sourceless && !sources.isEmpty()) {
            throw new CommandFailure("A report was to be made with --source and with --no-source.",
                    "The one reads the program and the other does not.", "Say one of them.");
        }
        Path target = output == null ? Path.of(stem() + ".ipynb") : output;
        boolean there = !force && Files.exists(target);
        if (output != null && there) {
            throw isThere(target); // before minutes go into it
        }
        boolean writes = output != null || !json && !input && !there;
        MemorySnapshot snapshot;
        List<ReportVerdict> verdicts;
        String notebook;
        try (ProgressLine progress = ProgressLine.on(spec.commandLine().getErr())) {
            progress.at("reading " + file.getFileName(), 0, 1);
            snapshot = SnapshotFile.readHistory(file);
            verdicts = ReportVerdict.of(snapshot,
                    frames -> sourceless ? UserProgram.NONE : SourceFiles.find(frames, sources, file), progress);
            notebook = writes ? SnapshotReport.of(snapshot, verdicts, reference(target)) : "";
        } catch (IllegalArgumentException refused) {
            throw new CommandFailure("The story of " + file + " was to be told.", refused.getMessage(),
                    "Record the history again and dump a new snapshot.");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            VerdictData.of(verdicts).lines().forEach(out::println);
            if (writes) {
                write(target, notebook);
            }
        } else {
            verdicts.forEach(verdict -> verdict.lines().forEach(out::println));
            if (verdicts.isEmpty()) {
                SnapshotReport.withoutHistory(snapshot).forEach(out::println);
            }
            out.println(writes
                    ? written(target, notebook)
                    : input
                            ? "No notebook was written: its cells would read the snapshot's file again, and there is none."
                            : "Not written: " + target
                                    + " is there already; --force writes over it, -o names another.");
        }
        return Main.OK;
    }

    /** A name is data: the notebook's cell holds it as a word in quotes, and nothing that could end that word. */
    private void requireName() {
        try {
            Words.quoted(file.toString());
        } catch (IllegalArgumentException unseen) {
            throw new CommandFailure("A notebook was to be written that names the snapshot " + file + ".",
                    "No cell can name that file: " + unseen.getMessage() + ".", "Rename it.");
        }
    }

    /** Where nobody named a file, one that cannot be written is no failure: the verdict is told. */
    private String written(Path target, String notebook) {
        try {
            write(target, notebook);
            return "Written: " + target + "; open it in Jupyter" + StartedAs.opening(target);
        } catch (CommandFailure unwritable) {
            if (output != null) {
                throw unwritable;
            }
            return "Not written: " + target + ". " + unwritable.found() + " -o names another place.";
        }
    }

    private void write(Path target, String text) {
        try {
            if (force) {
                WholeFile.write(target, text);
            } else {
                NewFile.write(target, text);
            }
        } catch (FileAlreadyExistsException there) {
            throw isThere(target);
        } catch (IOException unwritable) {
            throw new CommandFailure("The notebook " + target + " was to be written.",
                    FileTrouble.why(target, unwritable),
                    "Name a file with -o in a folder that exists and has room.");
        }
    }

    private static CommandFailure isThere(Path target) {
        return new CommandFailure("The notebook " + target + " was to be written.", "There is such a file already.",
                "Name another with -o, or say --force.");
    }

    private String stem() {
        return file.getFileName().toString().replaceFirst("(\\.(pickle|pkl|json))?(\\.gz)?$", "");
    }

    /** The snapshot as seen from the notebook's folder, for its code cells; the bare name where there is no such way. */
    private String reference(Path target) {
        Path folder = target.toAbsolutePath().normalize().getParent();
        Path absolute = file.toAbsolutePath().normalize();
        String name = folder != null && absolute.startsWith(folder)
                ? folder.relativize(absolute).toString()
                : absolute.getFileName().toString();
        // not taken for an option of the magic
        return name.startsWith("-") ? "./" + name : name;
    }
}
