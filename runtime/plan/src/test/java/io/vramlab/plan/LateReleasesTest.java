package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a gradient within the program leaves at its end, autograd's thread lets go of sooner or later. */
class LateReleasesTest {

    private static final long STORAGE = 64 << 20;
    private static final String ADD = "{},{\"t\":[%d,1]},[[%1$d,67108864]],\"\"]\n";

    /**
     * A storage of 64 MiB, its gradient, of whose making the first is let go; an update by the gradient, 64 MiB more, before the next
     * backward pass, which makes another. Three at once as the program goes, four if the thread is late.
     */
    @Test
    void theRangeHasBothWhereTheProgramGoesOnWithTheGradientAndDifferentiatesAgain() throws IOException {
        Plan plan = plan(forward(1, 1) + backward(2, 1) + "[\"f\",1]\n" + forward(3, 2) + backward(4, 3));

        assertTrue(plan.waits());
        assertEquals(3 * STORAGE, plan.allocated(), "2, 3 and 4 at the end");
        assertEquals(4 * STORAGE, plan.mostAllocated(), "and 1, of which the thread has not let go");
    }

    @Test
    void nothingWaitsWhereOnlyTheOptimizerReadsGradients() throws IOException {
        Plan plan = plan(forward(1, 1) + backward(2, 1) + "[\"f\",1]\n" + forward(3, 2)
                + "[\"m\",\"optimizer_step\",0]\n" + backward(4, 3));

        assertFalse(plan.waits());
        assertEquals(plan.allocated(), plan.mostAllocated());
    }

    @Test
    void nothingWaitsWhereTheProgramDoesNotReadGradientsItself() throws IOException {
        assertFalse(plan(forward(1, 1) + "[\"b\",9,512]\n" + backward(2, 1) + "[\"f\",1]\n" + forward(3, 9)
                + backward(4, 3)).waits());
    }

    private static String forward(int made, int read) {
        return "[\"o\",1,0,0,0,[{\"t\":[" + read + ",1]},{\"t\":[" + read + ",1]}]," + ADD.formatted(made);
    }

    private static String backward(int made, int read) {
        return "[\"o\",1,0,0,1,[{\"t\":[" + read + ",1]},{\"t\":[" + read + ",1]}]," + ADD.formatted(made);
    }

    private static Plan plan(String lines) throws IOException {
        return Plan.of(
                Recordings.of("[\"T\",1,\"float32\",[16777216],[1],0,0]\n[\"O\",1,\"aten.mul.Tensor\"]\n" + lines),
                DeviceProfile.find("H200").orElseThrow(), "");
    }
}
