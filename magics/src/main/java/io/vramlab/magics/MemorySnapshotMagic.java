package io.vramlab.magics;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.FileTrouble;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.track.SessionHistory;
import io.vramlab.memory.Cuda;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.SegmentInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** {@code %memory_snapshot}: torch.cuda.memory._snapshot() and _dump_snapshot(). */
public final class MemorySnapshotMagic extends OptionMagic {

    /** Found by the kernel. */
    public MemorySnapshotMagic() {
        super("memory_snapshot", Options
                .of("%memory_snapshot", "Writes the state and history of the allocators for PyTorch's memory viewer.")
                .words("[FILE]", 0, 1, "where to; a name ending in .json gives JSON, any other a pickle").files()
                .choice("record", List.of("on", "off"), "begins or ends the recording of the history, with call sites")
                .detail("Open the file at pytorch.org/memory_viz. Without FILE it only counts.\n"
                        + "The last 262,144 entries of a GPU's history are kept from the first cell on; --record on keeps "
                        + "all from then on, with the call sites of frees too, and off keeps none."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        String record = arguments.value("record").orElse("");
        if (!record.isEmpty()) {
            SessionHistory.of(call.session()).record(record.equals("on") ? HistoryOptions.all() : HistoryOptions.OFF);
        }
        MemorySnapshot snapshot = Cuda.snapshot();
        RowBuilder rows = new RowBuilder().number("device", "segments", "blocks", "reserved bytes", "allocated bytes",
                "history events");
        List<SegmentInfo> segments = snapshot.segments();
        for (int device = 0; device < snapshot.traces().size(); device++) {
            int index = device;
            List<SegmentInfo> own = segments.stream().filter(s -> s.device() == index).toList();
            rows.row(device, own.size(), own.stream().mapToInt(s -> s.blocks().size()).sum(),
                    own.stream().mapToLong(SegmentInfo::totalSize).sum(),
                    own.stream().mapToLong(SegmentInfo::allocatedSize).sum(), snapshot.traces().get(device).size());
        }
        ReportTable report = rows.report("Snapshot");
        if (!arguments.words().isEmpty()) {
            Path file = write(snapshot, arguments.words().get(0));
            report.note("Written: " + file + ", " + ReadableSizes.both(Files.size(file)) + ".");
            if (snapshot.traces().stream().allMatch(List::isEmpty)) {
                report.note(
                        "It holds 0 history events, only what is there now: no viewer can draw it over time, and nothing "
                                + "can be replayed. " + (SessionHistory.of(call.session()).isOn()
                                        ? "The history is on, and nothing was allocated or freed yet: run the cells that do, "
                                                + "then write it again."
                                        : "%memory_snapshot --record on, then run the cells again."));
            }
        }
        return report;
    }

    private static Path write(MemorySnapshot snapshot, String name) throws UsageException {
        try {
            Path file = Path.of(name);
            snapshot.write(file);
            return file.toAbsolutePath();
        } catch (InvalidPathException unusable) {
            throw unwritable(name, "No file can have that name.");
        } catch (IOException e) {
            throw unwritable(name, FileTrouble.why(Path.of(name), e));
        }
    }

    private static UsageException unwritable(String name, String why) {
        return new UsageException("%memory_snapshot: " + name + " was to be written. " + why
                + " Name a file in a folder that exists.");
    }
}
