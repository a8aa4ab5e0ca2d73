package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;

/** {@code %time CODE}, {@code %%time}: how long code takes. */
public final class TimeMagic extends OptionMagic {

    private static final double NANOS_PER_MILLI = 1e6;

    /** Found by the kernel. */
    public TimeMagic() {
        super("time", Options.of("%time", "Runs a line, or the rest of the cell, and tells how long it took.")
                .words("CODE", 0, 1, "Java; its value is the magic's").raw().java()
                .detail("%%time as the first line of a cell runs the lines below it.\n"
                        + "The time includes compiling."));
    }

    @Override
    public Kind kind() {
        return Kind.LINE_AND_CELL;
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        String code = call.hasBody() ? call.body() : String.join("", arguments.words());
        if (code.isBlank()) {
            throw new UsageException("%time has nothing to run: write %time CODE, or %%time above the code of a cell");
        }
        long begin = System.nanoTime();
        try {
            return call.session().evaluate(code, Math.max(1, call.bodyLine()));
        } finally {
            call.session().out().printf("Wall time: %.2f ms, compiling included%n",
                    (System.nanoTime() - begin) / NANOS_PER_MILLI);
        }
    }
}
