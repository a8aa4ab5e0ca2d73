package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code %env}: environment variables. */
public final class EnvMagic extends OptionMagic {

    /** Found by the kernel. */
    public EnvMagic() {
        super("env", Options
                .of("%env",
                        "Shows environment variables; NAME=VALUE sets one for %%sh and %maven (Java itself cannot change "
                                + "its own).")
                .words("[NAME|NAME=VALUE]", 0, 1, "the variable to show or to set; all of them without it").raw()
                .offers(session -> List.copyOf(new TreeMap<>(Processes.environment()).keySet())));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws UsageException {
        Map<String, String> all = new TreeMap<>(Processes.environment());
        String wanted = arguments.words().isEmpty() ? "" : arguments.words().getFirst();
        int equals = wanted.indexOf('=');
        if (equals > 0) {
            Processes.setVariable(wanted.substring(0, equals).strip(), wanted.substring(equals + 1).strip());
            return null;
        }
        if (!wanted.isEmpty()) {
            if (!all.containsKey(wanted)) {
                throw new UsageException(
                        "%%env %1$s: it is not set. Set it with %%env %1$s=VALUE".formatted(wanted));
            }
            return all.get(wanted);
        }
        return all.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("\n"));
    }

    @Override
    public boolean onlyTells(String arguments) {
        return !arguments.contains("=");
    }
}
