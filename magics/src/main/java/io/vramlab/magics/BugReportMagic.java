package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.magics.bug.HistoryRecorder;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.memory.Allocators;
import java.util.List;

/** {@code %bug_report}: keeps the memory's history in the notebook file. */
public final class BugReportMagic extends OptionMagic {

    /** Found by the kernel. */
    public BugReportMagic() {
        super("bug_report", Options.of("%bug_report", "Keeps the memory's history in the notebook, for a bug report.")
                .words("[on|off|show]", 0, 1,
                        "on: after every cell its history is put into the notebook; off: no more; "
                                + "show: what would be shared")
                .oneOf(List.of("on", "off", "show"))
                .detail("Save the notebook; vramlab replay NOTEBOOK then tells what its memory did, and would have done "
                        + "elsewhere, without running it."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) {
        HistoryRecorder recorder = HistoryRecorder.of(call.session());
        String word = arguments.words().isEmpty() ? "show" : arguments.words().get(0);
        if (word.equals("on")) {
            recorder.start();
            return shared("The memory's history is recorded into this notebook from here on");
        }
        if (word.equals("off")) {
            recorder.stop();
            return shared("Nothing is recorded any more; what was stays in the notebook");
        }
        return shared("Recording is " + (recorder.isOn() ? "on" : "off"));
    }

    private static ReportTable shared(String words) {
        RowBuilder rows = new RowBuilder().text("shared", "value");
        HistoryRecorder.environment(Device.current()).forEach(rows::row);
        rows.row("settings", Allocators.settings().text().isEmpty() ? "default" : Allocators.settings().text());
        rows.row("history", "sizes and order of memory events, by cell");
        rows.row("state tables",
                "after each cell: the allocator's statistics; how many tensors of which type, shape and kind");
        return rows.report(words)
                .note("No addresses, times, stacks, paths, host names or values; the cells and what they print are yours to read.");
    }
}
