package io.vramlab.kernel.spi.option;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Session;
import java.util.List;

/** A magic with declared options: {@code --help}, completion and messages come from the declaration. */
public abstract class OptionMagic implements Magic {

    private final String name;
    private final Options options;

    /** A magic of that name, with what may follow it. */
    protected OptionMagic(String name, Options options) {
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
    public final String help() {
        return options.help();
    }

    @Override
    public final Object run(MagicCall call) throws Exception {
        Arguments arguments = options.parse(call.arguments());
        if (arguments.help()) {
            call.session().out().print(help());
            return null;
        }
        return run(arguments, call);
    }

    /** Does the work; help and mistakes in the arguments are dealt with. */
    protected abstract Object run(Arguments arguments, MagicCall call) throws Exception;

    @Override
    public final List<String> complete(String arguments, Session session) {
        return options.complete(arguments, session);
    }

    @Override
    public boolean onlyTells(String arguments) {
        return options.onlyTells(arguments);
    }

    @Override
    public final int codeStart(String arguments) {
        return options.codeStart(arguments);
    }
}
