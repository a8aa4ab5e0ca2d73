package io.vramlab.kernel.magic.builtin;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.Variable;
import java.util.List;

/** {@code %reset}: forgets variables. */
public final class ResetMagic implements Magic {

    @Override
    public String name() {
        return "reset";
    }

    @Override
    public String summary() {
        return "Forgets all variables, or those named, and lets go of their values; methods and classes stay.";
    }

    @Override
    public Object run(MagicCall call) throws UsageException {
        List<String> names = call.arguments().isEmpty()
                ? call.session().variables().stream().map(Variable::name).toList()
                : List.of(call.arguments().split("[\\s,]+"));
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

    @Override
    public List<String> complete(String arguments, Session session) {
        return session.variables().stream().map(Variable::name).toList();
    }
}
