package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Backward of CTC as an H200 took it: 24 sequences of 29 labels, targets of 75 at most. */
class CtcLossTest {

    private static final long SCORES = 469 * 24 * 29 * 4;

    @Test
    void ofManyStepsTheBlanksAreSummedBesides() throws IOException {
        assertEquals(List.of(192L, 192L, 192L, 6798624L, SCORES, 3421824L, 45024L, 45024L, 11256L, 3421824L, 45024L, 4L,
                24L, SCORES), backward(469, true));
    }

    @Test
    void withoutZeroesForInfiniteLossesTheGradientIsTheResult() throws IOException {
        assertEquals(List.of(192L, 192L, 192L, 6798624L, SCORES, 3421824L, 45024L, 45024L, 11256L, 3421824L, 45024L),
                backward(469, false));
    }

    @Test
    void ofFewStepsTheyAreNot() throws IOException {
        List<Long> byOneKernel = List.of(192L, 192L, 192L, 100 * 24 * 151 * 4L, 100 * 24 * 29 * 4L);
        assertEquals(byOneKernel, backward(100, false));
        assertEquals(byOneKernel, backward(100, true)); // which also sets what became infinite to zero
    }

    private static List<Long> backward(int steps, boolean zeroes) throws IOException {
        int scores = steps * 24 * 29;
        String lines = "[\"O\",1,\"aten._ctc_loss_backward.default\"]\n"
                + "[\"T\",1,\"float32\",[24],[1],0,0]\n"
                + "[\"T\",2,\"float32\",[" + steps + ",24,29],[696,29,1],0,0]\n"
                + "[\"T\",3,\"float32\",[24," + steps + ",151],[" + 151 * steps + ",151,1],0,0]\n"
                + "[\"o\",1,0,0,1,[{\"t\":[1,1]},{\"t\":[2,2]},{\"t\":[3,1]},[],[],{\"t\":[4,1]},{\"t\":[5,3]},0,"
                + zeroes
                + "],{},{\"t\":[6,2]},[[6," + 4 * scores + "]],\"\"]\n";
        return Plan.of(Recordings.of(lines), DeviceProfile.find("H200").orElseThrow(), "").sizes();
    }
}
