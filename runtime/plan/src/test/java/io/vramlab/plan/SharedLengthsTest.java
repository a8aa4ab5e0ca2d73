package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a router decides how many tokens an expert is given, the range holds other shares than the recorded one. */
class SharedLengthsTest {

    /** A mask of 2,048 tokens, of which 1,025 are one expert's; their rows of 512 numbers; a product that has no such length. */
    private static String program(String told) {
        return "[\"O\",1,\"aten.nonzero.default\"]\n[\"O\",2,\"aten.index.Tensor\"]\n[\"O\",3,\"aten.mm.default\"]\n"
                + "[\"M\",1,\"Net.moe\"]\n[\"T\",1,\"bool\",[2048],[1],0,0]\n[\"T\",2,\"int64\",[1025,1],[1,1],0,0]\n"
                + "[\"T\",3,\"float32\",[2048,512],[512,1],0,0]\n[\"T\",4,\"float32\",[1025,512],[512,1],0,0]\n"
                + "[\"T\",5,\"float32\",[512,1025],[1,512],0,0]\n[\"T\",6,\"float32\",[512,512],[512,1],0,0]\n"
                + "[\"b\",1,2048]\n[\"b\",3,4194304]\n" + told
                + "[\"o\",1,0,1,0,[{\"t\":[1,1]}],{},{\"t\":[2,2]},[[2,8200]],\"\"]\n"
                + "[\"o\",2,0,1,0,[{\"t\":[3,3]},[{\"t\":[2,2]}]],{},{\"t\":[4,4]},[[4,2099200]],\"\"]\n"
                + "[\"o\",3,0,1,0,[{\"t\":[4,5]},{\"t\":[4,4]}],{},{\"t\":[5,6]},[[5,1048576]],\"\"]\n";
    }

    private static Script script(Shares shares) throws IOException {
        return Script.of(Recordings.of(program("[\"g\",0,2,1]\n")), DeviceProfile.find("H200").orElseThrow(),
                Choice.LIKELY, shares);
    }

    private static long taken(Script script, long storage) {
        for (int i = 0; i < script.length(); i++) {
            if (script.takes(i) && script.block(i) == storage) {
                return script.bytes(i);
            }
        }
        throw new IllegalArgumentException("no such storage");
    }

    /** All tokens of two experts are 2,050 rows of 2,048 bytes and 8 for the index of each; none are none. */
    @Test
    void whatIsMadeOfAnExpertsTokensGrowsWithThemAndNothingElseDoes() throws IOException {
        for (Shares all : List.of(Shares.FIRST, Shares.FALLING)) {
            assertEquals(2_050 * 8, taken(script(all), 2));
            assertEquals(2_050 * 2_048, taken(script(all), 4));
            assertEquals(1_048_576, taken(script(all), 5));
        }
        assertEquals(0, taken(script(Shares.LAST), 4));
        assertEquals(1_025 * 2_048, taken(script(Shares.EVEN), 4));
        long apart = taken(script(Shares.APART_1), 4);
        assertTrue(apart != 1_025 * 2_048 && apart % 2_048 == 0 && apart <= 2_050 * 2_048, () -> apart + " bytes");
    }

    /** From no tokens at all to all: 2,048 + 4,194,304 + 1,048,576 and a product's workspace are there in any case. */
    @Test
    void theRangeHoldsThemAndTheReportSaysWhy() throws IOException {
        ProgramTrace trace = Recordings.of(program("[\"g\",0,2,1]\n"));
        Plan plan = Plan.of(trace, DeviceProfile.find("H200").orElseThrow(), "expandable_segments:True");
        Plan even = Plan.of(Recordings.of(program("")), DeviceProfile.find("H200").orElseThrow(),
                "expandable_segments:True");
        assertEquals(even.allocated(), plan.allocated());
        assertEquals(even.leastAllocated(), even.mostAllocated());
        // 8,200 and 16,400 bytes are rounded to multiples of 512
        assertEquals(even.allocated() + 1_025 * 2_048 + 16_896 - 8_704, plan.mostAllocated());
        assertEquals(even.allocated() - 1_025 * 2_048 - 8_704, plan.leastAllocated());
        assertTrue(PlanReport.text(trace, List.of(plan), List.of())
                .contains("depending on how tokens are shared out among experts"));
    }

    @Test
    void overAllExpertsSharesComeToTheWholeAndNoneHasMoreThanEachToken() {
        for (Shares shares : Shares.values()) {
            double sum = 0;
            for (int expert = 0; expert < 8; expert++) {
                double share = shares.of(new PlanEvent.SharedOut(expert, 8, 2), "Net.moe 0");
                assertTrue(share >= 0 && share <= 4, shares + " " + share);
                sum += share;
            }
            assertTrue(sum > 7 && sum < 8 + 1e-9, shares + " " + sum);
        }
    }
}
