package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.internal.magic.KernelSession;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.util.List;

/** {@code %tb}: the last error once more. */
public final class TracebackMagic extends OptionMagic {

    /** Found by the kernel. */
    public TracebackMagic() {
        super("tb", Options.of("%tb", "Shows the last error again."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) {
        List<String> lines = KernelSession.of(call.session()).lastError();
        call.session().out().println(lines.isEmpty() ? "no cell has failed" : String.join("\n", lines));
        return null;
    }
}
