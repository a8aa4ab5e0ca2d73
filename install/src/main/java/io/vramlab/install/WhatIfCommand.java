package io.vramlab.install;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.vramlab.device.ByteSize;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.internal.whatif.ProvenLimits;
import io.vramlab.memory.internal.whatif.WhatIf;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import io.vramlab.memory.internal.whatif.WhatIfTable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays a real history under other settings. */
@Command(name = "what-if", addMethodSubcommands = false, mixinStandardHelpOptions = true, description = "Replay the allocation history of a snapshot, PyTorch's or ours, under other settings, another limit or on another device: "
        + "what would it have reserved, and would it have run out of memory?")
final class WhatIfCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SNAPSHOT", description = "a file of torch.cuda.memory._dump_snapshot or of %%memory_snapshot, gzip-compressed or not; - for standard input")
    private Path file;

    @Option(names = "--conf", paramLabel = "SETTINGS", description = "settings as in PYTORCH_CUDA_ALLOC_CONF, an empty text for the default ones; may be repeated; a sensible set without it")
    private List<String> settings = List.of();

    @ArgGroup
    private Bound bound = new Bound();

    @Option(names = "--json", description = "print an array with one object per setting")
    private boolean json;

    /** What bounds the replay. */
    static final class Bound {

        @Option(names = "--limit", paramLabel = "SIZE", description = "what may be reserved: bytes, or a size such as 3GiB; without it and --device no limit or, where requests failed in the history, the most that it proves was allowed")
        private String limit = "";

        @Option(names = "--device", paramLabel = "PROFILE", description = "a GPU by name, such as H100-80GB, or a capacity")
        private String device = "";
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        MemorySnapshot snapshot = SnapshotFile.read(file);
        boolean bounded = !bound.limit.isEmpty() || !bound.device.isEmpty();
        ProvenLimits known = bounded ? ProvenLimits.NONE : ProvenLimits.of(snapshot);
        try (ProgressLine progress = ProgressLine.on(spec.commandLine().getErr())) {
            WhatIfReport report = bounded
                    ? new WhatIf(snapshot, limit(), capacity()).run(settings, progress)
                    : known.run(snapshot, settings, progress);
            progress.close();
            if (!json) {
                known.sentences("--limit or --device").forEach(out::println);
            }
            out.println((json ? WhatIfTable.json(report) : WhatIfTable.text(report)).stripTrailing());
            return Main.OK;
        } catch (IllegalArgumentException refused) {
            throw new CommandFailure("The history of " + file + " was to be replayed.", refused.getMessage(),
                    "The settings are those of PYTORCH_CUDA_ALLOC_CONF; a history is recorded by torch.cuda.memory._record_memory_history or %memory_snapshot.");
        }
    }

    private long limit() {
        return bound.limit.isEmpty()
                ? 0
                : ByteSize.parse(bound.limit).filter(bytes -> bytes > 0)
                        .orElseThrow(() -> new CommandFailure("--limit " + bound.limit + " was asked for.",
                                "That is no size.",
                                "Write bytes, or a size such as 3GiB or 512MiB."));
    }

    private long capacity() {
        try {
            return bound.device.isEmpty() ? 0 : DeviceProfile.of(bound.device).totalBytes();
        } catch (DeviceException unknown) {
            throw new CommandFailure("--device " + bound.device + " was asked for.", unknown.getMessage(),
                    "Choose one of these, or a size such as 24GiB.");
        }
    }
}
