package io.vramlab.kernel.internal.magic.builtin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** {@code %sx COMMAND}: what a shell command prints, as a list. */
public final class ShellLinesMagic extends OptionMagic {

    /** Found by the kernel. */
    public ShellLinesMagic() {
        super("sx",
                Options.of("%sx", "Runs a line in the system's shell; its value is the list of the lines it printed.")
                        .words("COMMAND", 1, 1, "what the shell shall run").raw().files()
                        .detail("!!COMMAND is the same. var files = !ls keeps the lines as a List<String>.\n"
                                + "What the command says of errors is shown, and a status other than 0 is an error."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        String command = arguments.words().getFirst();
        int status = Processes.run(Processes.shell(command), "", new PrintStream(printed, true, UTF_8),
                call.session().err());
        String text = printed.toString(UTF_8);
        if (status != 0) {
            call.session().out().print(text);
            throw new UsageException("%sx " + command + ": the shell ended with status " + status
                    + "; what it printed is above");
        }
        return text.lines().toList();
    }
}
