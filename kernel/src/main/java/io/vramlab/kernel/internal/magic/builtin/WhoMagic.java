package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.internal.display.Renderers;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Variable;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.util.List;

/** {@code %who}: the session's variables. */
public final class WhoMagic extends OptionMagic {

    private static final int VALUE_CHARS = 60;

    /** Found by the kernel. */
    public WhoMagic() {
        super("who", Options.of("%who", "Lists the variables: name, type, the cell that declared it, value.").tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) {
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
            text = Renderers.label(value).replace('\n', ' ');
        } catch (RuntimeException e) {
            text = "(its toString() threw " + e.getClass().getName() + ")";
        }
        return text.length() <= VALUE_CHARS ? text : text.substring(0, VALUE_CHARS) + "…";
    }
}
