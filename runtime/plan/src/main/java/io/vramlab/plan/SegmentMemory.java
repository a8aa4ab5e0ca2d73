package io.vramlab.plan;

import io.vramlab.device.DeviceMemory;
import io.vramlab.device.DriverStep;

/** A device's memory whose driver takes and gives back addresses for itself while the program runs; see docs/plan.md, "Where segments lie". */
interface SegmentMemory extends DeviceMemory {

    /** The driver takes addresses for itself. */
    void step(DriverStep step);
}
