package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Storages that another thread lets go later than the program does, as NCCL's watchdog lets go of DDP's first bucket. */
class LingeringTest {

    private static final long BUCKET = 64 << 20;

    @Test
    void whatLingersIsGoneInTheEstimateAndThereAtTheRangesEnd() throws IOException {
        Plan plan = Plan.of(Recordings.of("[\"b\",1,67108864]\n[\"l\",1]\n[\"f\",1]\n[\"b\",2,67108864]\n"
                + "[\"m\",\"optimizer_step\",0]\n[\"b\",3,67108864]\n"), DeviceProfile.find("H200").orElseThrow(), "");
        assertEquals(2 * BUCKET, plan.allocated());
        assertEquals(2 * BUCKET, plan.mostAllocated(), "it is gone when the optimizer has stepped");
        assertTrue(plan.lingers());
    }

    @Test
    void untilTheOptimizerHasSteppedBothAreThere() throws IOException {
        Plan plan = Plan.of(Recordings.of("[\"b\",1,67108864]\n[\"l\",1]\n[\"f\",1]\n[\"b\",2,67108864]\n"),
                DeviceProfile.find("H200").orElseThrow(), "");
        assertEquals(BUCKET, plan.allocated());
        assertEquals(2 * BUCKET, plan.mostAllocated());
    }
}
