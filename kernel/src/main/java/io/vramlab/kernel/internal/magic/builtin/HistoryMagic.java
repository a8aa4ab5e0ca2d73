package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.internal.history.Entry;
import io.vramlab.kernel.internal.magic.KernelSession;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.util.List;

/** {@code %history}: the cells run so far. */
public final class HistoryMagic extends OptionMagic {

    /** Found by the kernel. */
    public HistoryMagic() {
        super("history", Options.of("%history", "Shows this session's cells, or those that contain a text.")
                .words("[TEXT]", 0, 1, "what a cell must contain, blanks and quotation marks as they are").raw()
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) {
        String text = arguments.words().isEmpty() ? "" : arguments.words().getFirst();
        List<Entry> found = KernelSession.of(call.session()).history().stream()
                .filter(each -> each.input().contains(text)).toList();
        StringBuilder shown = new StringBuilder();
        for (Entry each : found) {
            shown.append(
                    "In [%d]:%n%s%n".formatted(each.line(), each.input().stripTrailing().indent(4).stripTrailing()));
        }
        return found.isEmpty() ? "no such cell" : shown.toString().stripTrailing();
    }
}
