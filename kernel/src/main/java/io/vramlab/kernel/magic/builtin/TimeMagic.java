package io.vramlab.kernel.magic.builtin;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;

/** {@code %time CODE}, {@code %%time}: how long code takes. */
public final class TimeMagic implements Magic {

    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String name() {
        return "time";
    }

    @Override
    public Kind kind() {
        return Kind.LINE_AND_CELL;
    }

    @Override
    public String summary() {
        return "Runs a line, or the rest of the cell, and tells how long it took.";
    }

    @Override
    public Object run(MagicCall call) throws Exception {
        String code = call.hasBody() ? call.body() : call.arguments();
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
