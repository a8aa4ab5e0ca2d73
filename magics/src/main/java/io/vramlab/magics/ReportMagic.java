package io.vramlab.magics;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.option.Arguments;
import io.vramlab.magics.option.Options;
import java.util.List;

/** A magic with declared options: {@code --help}, completion and messages come from the declaration. */
abstract class ReportMagic implements Magic {

    private final String name;
    private final Options options;

    ReportMagic(String name, Options options) {
        this.name = name;
        this.options = options;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String summary() {
        return options.summary();
    }

    @Override
    public final Object run(MagicCall call) throws Exception {
        Arguments arguments = options.parse(call.arguments());
        if (arguments.help()) {
            call.session().out().print(options.help());
            return null;
        }
        return run(arguments, call);
    }

    /** Does the work; help and mistakes in the arguments are dealt with. */
    abstract Object run(Arguments arguments, MagicCall call) throws Exception;

    @Override
    public final List<String> complete(String arguments, Session session) {
        return options.complete(arguments, session);
    }
}
