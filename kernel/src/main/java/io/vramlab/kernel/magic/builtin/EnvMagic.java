package io.vramlab.kernel.magic.builtin;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code %env}: environment variables. */
public final class EnvMagic implements Magic {

    @Override
    public String name() {
        return "env";
    }

    @Override
    public String summary() {
        return "Shows environment variables; NAME=VALUE sets one for %%sh and %maven (Java itself cannot change its own).";
    }

    @Override
    public Object run(MagicCall call) throws UsageException {
        Map<String, String> all = new TreeMap<>(Processes.environment());
        String arguments = call.arguments();
        int equals = arguments.indexOf('=');
        if (equals > 0) {
            Processes.setVariable(arguments.substring(0, equals).strip(), arguments.substring(equals + 1).strip());
            return null;
        }
        if (!arguments.isEmpty()) {
            if (!all.containsKey(arguments)) {
                throw new UsageException(
                        "%%env %1$s: it is not set. Set it with %%env %1$s=VALUE".formatted(arguments));
            }
            return all.get(arguments);
        }
        return all.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("\n"));
    }
}
