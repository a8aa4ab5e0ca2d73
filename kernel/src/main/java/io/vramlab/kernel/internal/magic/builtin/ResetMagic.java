package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.Variable;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.util.Arrays;
import java.util.List;

/** {@code %reset}: forgets variables. */
public final class ResetMagic extends OptionMagic {

    /** Found by the kernel. */
    public ResetMagic() {
        super("reset", Options
                .of("%reset",
                        "Forgets all variables, or those named, and lets go of their values; methods and classes stay.")
                .words("[NAME…]", 0, Integer.MAX_VALUE, "variables; all of them without any").variables());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws UsageException {
        List<String> names = arguments.words().isEmpty()
                ? call.session().variables().stream().map(Variable::name).toList()
                : arguments.words().stream().flatMap(each -> Arrays.stream(each.split(",")))
                        .filter(each -> !each.isEmpty()).toList();
        for (String name : names) {
            if (call.session().variable(name).isEmpty()) {
                throw new UsageException(
                        "%%reset %s: there is no variable of that name. %%who lists those that there are"
                                .formatted(name));
            }
        }
        names.forEach(call.session()::drop);
        return names.size() == 1 ? "1 variable forgotten" : names.size() + " variables forgotten";
    }
}
