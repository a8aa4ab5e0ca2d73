package io.vramlab.kernel.magic.builtin;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import java.util.List;
import java.util.Locale;

/** {@code %sh COMMAND}, {@code %%sh}: the system's shell. */
public final class ShellMagic implements Magic {

    @Override
    public String name() {
        return "sh";
    }

    @Override
    public Kind kind() {
        return Kind.LINE_AND_CELL;
    }

    @Override
    public String summary() {
        return "Runs a line, or the rest of the cell, in the system's shell.";
    }

    @Override
    public Object run(MagicCall call) throws Exception {
        String script = call.hasBody() ? call.body() : call.arguments();
        boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("win");
        List<String> command = windows ? List.of("cmd", "/c", script) : List.of("sh", "-c", script);
        int status = Processes.run(command, call.session().out(), call.session().err());
        if (status != 0) {
            throw new UsageException("%sh: the shell ended with status " + status + "; what it printed is above");
        }
        return null;
    }
}
