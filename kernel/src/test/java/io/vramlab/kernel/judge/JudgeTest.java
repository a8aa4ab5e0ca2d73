package io.vramlab.kernel.judge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Generated sessions do in our kernel what they do as a plain program. */
class JudgeTest {

    /** {@code -Dvramlab.judge.sequences=20000} for a long run. */
    private static final int SEQUENCES = Integer.getInteger("vramlab.judge.sequences", 500);
    private static final long FROM = Long.getLong("vramlab.judge.from", 0);
    /** One of so many goes through JShell, without the way around it. */
    private static final int UNACCELERATED = 50;

    @Test
    void generatedSessionsDoWhatTheyDoAsAPlainProgram() throws Exception {
        isEqual(new Judge(new OurKernel(true), new PlainProgram(), Generator::sequence), FROM, FROM + SEQUENCES);
    }

    @Test
    void theyDoSoWithoutTheWayAroundJShellToo() throws Exception {
        isEqual(new Judge(new OurKernel(false), new PlainProgram(), Generator::sequence), FROM,
                FROM + Math.max(1, SEQUENCES / UNACCELERATED));
    }

    private static void isEqual(Judge judge, long from, long to) throws Exception {
        List<String> differences = judge.judge(from, to);
        assertEquals("", String.join("\n\n", differences), judge.toString());
        assertEquals(to - from, judge.judged());
    }
}
