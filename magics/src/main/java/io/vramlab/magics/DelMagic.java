package io.vramlab.magics;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.Variable;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.Nearest;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.track.Tracking;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.Allocators;
import java.util.ArrayList;
import java.util.List;

/** {@code %del}: lets go of variables. */
public final class DelMagic extends OptionMagic {

    /** Found by the kernel. */
    public DelMagic() {
        super("del", Options.of("%del", "Forgets variables and lets go of their values, as Python's del does.")
                .words("NAME…", 1, 1000, "variables; $n for an old result").variables()
                .detail("What else holds the value keeps it alive: see %holds."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Session session = call.session();
        List<String> names = new ArrayList<>(arguments.words());
        check(names, session);
        RowBuilder rows = new RowBuilder().text("variable", "type").number("freed bytes");
        for (String name : names) {
            String type = session.variable(name).map(Variable::type).orElse("");
            long before = allocated();
            session.drop(name);
            Collector.run();
            rows.row(name, type, before - allocated());
        }
        return rows.report("Forgotten: " + ReadableSizes.text(rows.sum("freed bytes")) + " freed");
    }

    /** All names are checked first, so that a mistake drops nothing. */
    private static void check(List<String> names, Session session) throws UsageException {
        for (String name : names) {
            if (session.variable(name).isEmpty()) {
                List<String> known = session.variables().stream().map(Variable::name).toList();
                throw new UsageException(
                        "%del: " + name + " was to be forgotten. There is no variable of that name; nothing "
                                + "was changed."
                                + Nearest.of(name, known).map(n -> " Did you mean " + n + "?")
                                        .orElse(" See %track for the names."));
            }
        }
    }

    private static long allocated() {
        return Tracking.gpusInUse().stream().mapToLong(d -> Allocators.of(d).stats().allocatedBytes()).sum();
    }
}
