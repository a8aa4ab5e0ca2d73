package io.vramlab.kernel.magic.builtin;

import io.vramlab.kernel.history.Entry;
import io.vramlab.kernel.magic.KernelSession;
import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import java.util.List;

/** {@code %history}: the cells run so far. */
public final class HistoryMagic implements Magic {

    @Override
    public String name() {
        return "history";
    }

    @Override
    public String summary() {
        return "Shows this session's cells, or those that contain a text.";
    }

    @Override
    public Object run(MagicCall call) {
        List<Entry> found = KernelSession.of(call.session()).history().stream()
                .filter(each -> each.input().contains(call.arguments())).toList();
        StringBuilder text = new StringBuilder();
        for (Entry each : found) {
            text.append(
                    "In [%d]:%n%s%n".formatted(each.line(), each.input().stripTrailing().indent(4).stripTrailing()));
        }
        return found.isEmpty() ? "no such cell" : text.toString().stripTrailing();
    }
}
