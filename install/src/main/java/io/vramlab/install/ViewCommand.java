package io.vramlab.install;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.vramlab.magics.text.FileTrouble;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.view.Page;
import io.vramlab.memory.WholeFile;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a page on which a snapshot's history can be looked at. */
@Command(name = "view", addMethodSubcommands = false, mixinStandardHelpOptions = true, description = "Write a page on which the history of a snapshot, PyTorch's or ours, can be looked at in a browser, without a network: "
        + "zoom, pan, who holds what, search, two moments or two snapshots compared.")
final class ViewCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SNAPSHOT", arity = "1..2", description = "a file of torch.cuda.memory._dump_snapshot or of %%memory_snapshot, gzip-compressed or not; - for standard input; a second to compare it with")
    private List<Path> files;

    @Option(names = {"-o",
            "--output"}, paramLabel = "PAGE", description = "the page's file (default: the snapshot's name with .html, where you are)")
    private Path output;

    @Option(names = "--force", description = "write over a file that is there")
    private boolean force;

    @Override
    public Integer call() {
        Path target = output == null ? Path.of(stem(files.getFirst()) + ".html") : output;
        Page page = new Page("Memory of " + stem(files.getFirst()));
        long events = 0;
        try (ProgressLine progress = ProgressLine.on(spec.commandLine().getErr())) {
            for (int i = 0; i < files.size(); i++) {
                progress.at("reading " + files.get(i).getFileName(), i, files.size());
                events += page.add(stem(files.get(i)), SnapshotFile.read(files.get(i)), address -> null);
            }
        }
        if (page.isEmpty()) {
            throw new CommandFailure("The history of " + files.getFirst() + " was to be shown.",
                    "It holds none: 0 events, only the state of its end.",
                    "Record one before the program runs: torch.cuda.memory._record_memory_history() in PyTorch, %memory_snapshot --record on here.");
        }
        write(target, page.html());
        spec.commandLine().getOut()
                .println(
                        "Written: " + target + ", " + ReadableSizes.count(events, "event") + "; open it in a browser.");
        return Main.OK;
    }

    private static String stem(Path file) {
        return SnapshotFile.isStandardInput(file)
                ? "snapshot"
                : file.getFileName().toString().replaceAll("(\\.(pickle|pkl|json|gz))+$", "");
    }

    private void write(Path target, String text) {
        try {
            if (force) {
                WholeFile.write(target, text);
            } else {
                NewFile.write(target, text);
            }
        } catch (FileAlreadyExistsException there) {
            throw new CommandFailure("The page " + target + " was to be written.", "There is a file of that name.",
                    "Choose another with -o, or write over it with --force.");
        } catch (IOException unwritable) {
            throw new CommandFailure("The page " + target + " was to be written.",
                    FileTrouble.why(target, unwritable),
                    "Choose a folder that exists and may be written to with -o.");
        }
    }
}
