package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;

/** {@code %timeit CODE}, {@code %%timeit}: how long code takes on average. */
public final class TimeitMagic extends OptionMagic {

    private static final long ENOUGH_NANOS = 200_000_000;
    private static final int RUNS = 7;
    private static final long MOST_LOOPS = 1_000_000_000;
    private static final String OWN = "io.vramlab.kernel.internal.magic.builtin.TimedCode";

    /** Found by the kernel. */
    public TimeitMagic() {
        super("timeit", Options
                .of("%timeit", "Runs a line, or the rest of the cell, many times and tells the mean time.")
                .value("loops", "N", "how often it runs between two looks at the clock; else as often as fits 0.2 s")
                .value("repeat", "R", "how many such runs are averaged; else " + RUNS)
                .letter('n', "loops").letter('r', "repeat")
                .words("[CODE]", 0, 1,
                        "Java: an expression or statements; above a %%timeit cell, what is done before and not timed")
                .rest().java()
                .detail("The code becomes one loop that is compiled once. It runs for about 0.4 s before anything is counted, so that\n"
                        + "the JVM has compiled it to machine code; what you see is code that is warm, faster than its first run (%time\n"
                        + "tells that). The value is used up, so that it must be computed; what does not change from loop to loop the JVM\n"
                        + "may still compute once. Variables that CODE declares are gone afterwards. -n N is --loops N,\n"
                        + "-r R is --repeat R. An interrupt ends it."));
    }

    @Override
    public Kind kind() {
        return Kind.LINE_AND_CELL;
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        String line = String.join("", arguments.words());
        String code = call.hasBody() ? call.body() : line;
        if (code.isBlank()) {
            throw new UsageException(
                    "%timeit has nothing to run: write %timeit CODE, or %%timeit above the code of a cell");
        }
        TimedCode.Loop loop = compiled(call.hasBody() ? line : "", code, Math.max(1, call.bodyLine()), call);
        try {
            long loops = arguments.number("loops", 0, 1);
            int repeat = arguments.number("repeat", RUNS, 1);
            if (loops == 0) {
                fitting(loop);
                loops = fitting(loop);
            } else {
                loop.nanos(loops);
            }
            long[] nanos = new long[repeat];
            for (int i = 0; i < repeat; i++) {
                nanos[i] = loop.nanos(loops);
            }
            call.session().out().println(Durations.of(nanos, loops));
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            TimedCode.forget();
        }
        return null;
    }

    /** How often the code runs in 0.2 s: 1, 2, 5, 10 and so on. */
    private static long fitting(TimedCode.Loop loop) throws Throwable {
        for (long power = 1; power < MOST_LOOPS; power *= 10) {
            for (int factor : new int[]{1, 2, 5}) {
                if (loop.nanos(power * factor) >= ENOUGH_NANOS) {
                    return power * factor;
                }
            }
        }
        return MOST_LOOPS;
    }

    private static TimedCode.Loop compiled(String before, String code, int firstLine, MagicCall call)
            throws Exception {
        String text = code.strip();
        boolean expression = !text.endsWith(";") && !text.endsWith("}");
        if (expression && !text.contains("\n")) {
            try {
                return evaluated(before, OWN + ".keep(" + text + ");", firstLine, call);
            } catch (UsageException e) {
                // it has no value: a statement, or wrong, which the next attempt tells
                return evaluated(before, text + ";", firstLine, call);
            }
        }
        return evaluated(before, code + (expression ? ";" : ""), firstLine, call);
    }

    private static TimedCode.Loop evaluated(String before, String code, int firstLine, MagicCall call)
            throws Exception {
        TimedCode.take();
        String setup = before.isBlank() || before.endsWith(";") ? before : before + ";";
        call.session().evaluate(OWN + ".give(times$ -> { " + setup + " long begin$ = System.nanoTime();"
                + " for (long loop$ = 0; loop$ < times$; loop$++) { " + code
                + (code.contains("//") ? "\n" : "") + "} return System.nanoTime() - begin$; });", firstLine);
        return TimedCode.take();
    }
}
