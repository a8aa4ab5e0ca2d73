package io.vramlab.magics;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.track.Region;
import io.vramlab.magics.track.Totals;
import io.vramlab.magics.track.Tracking;

/** {@code %mark}: names what follows, and shows what happened between marks. */
public final class MarkMagic extends OptionMagic {

    /** Found by the kernel. */
    public MarkMagic() {
        super("mark", Options
                .of("%mark", "Begins a region of that name, up to the next mark; alone, shows all regions.")
                .words("[NAME]", 0, 1, "what the coming part of the notebook is called; quote it if it has spaces")
                .detail("Regions appear in %memory_timeline and can be compared with %memory_diff. A cell may hold several "
                        + "marks. Tracking must be on (%track on).")
                .tellsWithoutWords());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Tracking tracking = Tracking.of(call.session());
        if (!tracking.isOn()) {
            throw new UsageException("%mark: a region was asked for, but tracking is off, so nothing is measured. "
                    + "Switch it on with %track on.");
        }
        if (!arguments.words().isEmpty()) {
            tracking.mark(arguments.words().get(0));
        }
        RowBuilder rows = new RowBuilder().text("region", "device").number("allocated bytes", "freed bytes",
                "net bytes",
                "peak bytes", "from device bytes");
        for (Tracking.Followed followed : tracking.all()) {
            for (Region region : followed.marks()) {
                Totals totals = Totals.of(followed.log(), region.from(), region.to());
                rows.row(region.label(), followed.device().name(), totals.allocated(), totals.freed(), totals.net(),
                        totals.peak(), totals.acquired());
            }
        }
        return rows.report("Regions");
    }
}
