package io.vramlab.kernel.magic.builtin;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Variable;
import java.util.List;

/** {@code %who}: the session's variables. */
public final class WhoMagic implements Magic {

    private static final int VALUE_CHARS = 60;

    @Override
    public String name() {
        return "who";
    }

    @Override
    public String summary() {
        return "Lists the variables: name, type, the cell that declared it, value.";
    }

    @Override
    public Object run(MagicCall call) {
        List<Variable> variables = call.session().variables();
        if (variables.isEmpty()) {
            return "no variables";
        }
        StringBuilder text = new StringBuilder("%-16s %-24s %-8s %s%n".formatted("name", "type", "cell", "value"));
        for (Variable each : variables) {
            text.append("%-16s %-24s %-8s %s%n".formatted(each.name(), each.type(), "In [" + each.cell() + "]",
                    shortened(each.value())));
        }
        return text.toString().stripTrailing();
    }

    private static String shortened(Object value) {
        String text;
        try {
            text = String.valueOf(value).replace('\n', ' ');
        } catch (RuntimeException e) {
            text = "(its toString() threw " + e.getClass().getName() + ")";
        }
        return text.length() <= VALUE_CHARS ? text : text.substring(0, VALUE_CHARS) + "…";
    }
}
