package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/** {@code %%script PROGRAM}: the rest of the cell as another program's input. */
public final class ScriptMagic extends OptionMagic {

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** Found by the kernel. */
    public ScriptMagic() {
        super("script", Options.of("%%script", "Has another program run the rest of the cell.")
                .words("PROGRAM [ARGUMENT…]", 1, 1, "what reads the lines below from its standard input").raw()
                .detail("%%bash, %%python, %%python3, %%perl and %%ruby are %%script with the program of that name.\n"
                        + "Variables of the notebook are not known there; %env NAME=VALUE passes one on."));
    }

    @Override
    public Kind kind() {
        return Kind.CELL;
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        List<String> command = BLANKS.splitAsStream(arguments.words().getFirst()).toList();
        int status;
        try {
            status = Processes.run(command, call.body().stripTrailing() + '\n', call.session().out(),
                    call.session().err());
        } catch (IOException e) {
            throw new UsageException(
                    "%%%%script %s: no such program can be run here. Install it, or name another one; %s"
                            .formatted(command.getFirst(), "Java needs no %%script"));
        }
        if (status != 0) {
            throw new UsageException("%%script " + String.join(" ", command) + ": it ended with status " + status
                    + "; what it printed is above");
        }
        return null;
    }
}
