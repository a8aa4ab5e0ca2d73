package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.install.notebook.NotebookException;
import io.vramlab.install.notebook.RecordedHistory;
import io.vramlab.install.report.ReplayReport;
import io.vramlab.magics.text.FileTrouble;
import io.vramlab.memory.WholeFile;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays the history in a saved notebook. */
@Command(name = "replay", mixinStandardHelpOptions = true, description = "Tell what the memory of a notebook that was saved with %%bug_report on did, and would have done under other "
        + "settings or on another device, without running a cell.")
final class ReplayCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NOTEBOOK")
    private Path file;

    @Option(names = "--conf", paramLabel = "SETTINGS", description = "settings as in PYTORCH_CUDA_ALLOC_CONF, an empty text for the default ones; may be repeated; the recorded ones and a sensible set without it")
    private List<String> settings = List.of();

    @Option(names = "--device", paramLabel = "PROFILE", description = "a GPU by name, such as H100-80GB, or a capacity; the recorded one, with its limit, without it")
    private String device = "";

    @Option(names = "--until", paramLabel = "CELL", description = "only up to In [CELL]")
    private int until = Integer.MAX_VALUE;

    @Option(names = "--html", paramLabel = "FILE", description = "write the story with pictures to this file too")
    private Path html;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<meta charset=\"utf-8\"><title>Replay</title>\n");
        try (ProgressLine progress = ProgressLine.on(spec.commandLine().getErr())) {
            for (RecordedHistory history : RecordedHistory.read(file)) {
                ReplayReport report = new ReplayReport(history, until);
                List<String> lines = report.lines(settings, capacity(), progress);
                progress.close();
                lines.forEach(out::println);
                page.append(report.html(lines));
            }
        } catch (NotebookException | IllegalArgumentException | ArithmeticException refused) {
            throw new CommandFailure("The memory of " + file + " was to be replayed.", refused.getMessage(),
                    "Run the notebook again with %bug_report on, save it, and check the settings asked for.");
        }
        write(page.toString());
        return Main.OK;
    }

    private void write(String page) {
        try {
            if (html != null) {
                WholeFile.write(html, page);
            }
        } catch (IOException unwritable) {
            throw new CommandFailure("The page " + html + " was to be written.",
                    FileTrouble.why(html, unwritable),
                    "Name a file in a folder that exists and has room.");
        }
    }

    private long capacity() {
        try {
            return device.isEmpty() ? 0 : DeviceProfile.of(device).totalBytes();
        } catch (DeviceException unknown) {
            throw new CommandFailure("--device " + device + " was asked for.", unknown.getMessage(),
                    "Choose one of these, or a size such as 24GiB.");
        }
    }
}
