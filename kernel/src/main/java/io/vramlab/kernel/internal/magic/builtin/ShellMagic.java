package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;

/** {@code %sh COMMAND}, {@code %%sh}: the system's shell. */
public final class ShellMagic extends OptionMagic {

    /** Found by the kernel. */
    public ShellMagic() {
        super("sh", Options.of("%sh", "Runs a line, or the rest of the cell, in the system's shell.")
                .words("COMMAND", 0, 1, "what the shell shall run").raw().files()
                .detail("%%sh as the first line of a cell runs the lines below it.\n"
                        + "!COMMAND is the same; ls, cat and others that IPython runs are magics too: %ls.\n"
                        + "What it prints is shown while it runs; an interrupt of the cell ends it."));
    }

    @Override
    public Kind kind() {
        return Kind.LINE_AND_CELL;
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        String script = call.hasBody() ? call.body() : String.join("", arguments.words());
        if (script.isBlank()) {
            throw new UsageException("%sh has nothing to run: write %sh COMMAND, or %%sh above the lines of a script");
        }
        int status = Processes.run(Processes.shell(script), "", call.session().out(), call.session().err());
        if (status != 0) {
            throw new UsageException("%sh: the shell ended with status " + status + "; what it printed is above");
        }
        return null;
    }
}
