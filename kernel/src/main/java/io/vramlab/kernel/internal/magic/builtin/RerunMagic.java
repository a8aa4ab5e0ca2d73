package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.internal.history.Entry;
import io.vramlab.kernel.internal.magic.KernelSession;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.util.List;

/** {@code %rerun [N]}: a cell of this session once more. */
public final class RerunMagic extends OptionMagic {

    /** Found by the kernel. */
    public RerunMagic() {
        super("rerun", Options.of("%rerun", "Runs a cell of this session again, as part of this one.")
                .words("[N]", 0, 1, "the n of In [n]; the cell before without it"));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        List<Entry> cells = KernelSession.of(call.session()).history();
        if (cells.isEmpty()) {
            throw new UsageException("%rerun: no cell has run before this one. Run one first");
        }
        String wanted = arguments.words().isEmpty()
                ? Integer.toString(cells.getLast().line())
                : arguments.words().getFirst();
        Entry cell = cells.stream().filter(each -> Integer.toString(each.line()).equals(wanted)).findFirst()
                .orElseThrow(() -> new UsageException(
                        "%%rerun %s: there is no cell In [%s] in this session. %%history lists those that there are"
                                .formatted(wanted, wanted)));
        if (cell.input().strip().startsWith("%rerun")) {
            throw new UsageException("%%rerun %s: that cell is itself a %%rerun. Name the cell that it ran"
                    .formatted(wanted));
        }
        call.session().out().println("=== In [" + wanted + "] again ===\n" + cell.input().strip());
        return call.session().evaluate(cell.input(), 1);
    }

    @Override
    public boolean mayDeclare(String arguments) {
        return true;
    }
}
