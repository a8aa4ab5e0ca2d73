package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.internal.magic.KernelSession;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.MimeBundle;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;

/** {@code %pinfo NAME}: what a line {@code NAME?} shows when it is not alone in its cell. */
public final class InspectMagic extends OptionMagic {

    /** Found by the kernel. */
    public InspectMagic() {
        super("pinfo", Options.of("%pinfo", "Shows what something is: its signature and documentation.")
                .flag("full", "shows all of the documentation of several things of one name")
                .words("[NAME]", 0, 1, "a variable, method, class or magic").variables()
                .detail("A line NAME? or ?NAME is the same, NAME?? is %pinfo --full NAME. A cell of nothing else opens\n"
                        + "the text as a page."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws UsageException {
        KernelSession session = KernelSession.of(call.session());
        String subject = arguments.words().isEmpty() ? "%help" : arguments.words().getFirst();
        MimeBundle known = session.inspect(subject, arguments.has("full")).orElseThrow(() -> new UsageException(
                "%s?: nothing is known of that name. Variables are listed by %%who, magics by %%lsmagic; Tab completes names"
                        .formatted(subject)));
        session.display(known);
        return null;
    }
}
