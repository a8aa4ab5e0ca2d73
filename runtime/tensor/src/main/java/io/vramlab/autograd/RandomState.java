package io.vramlab.autograd;

import io.vramlab.device.Device;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.type.Generator;

/**
 * Where the random numbers of a device stood.
 *
 * @param generator
 *            the device's
 * @param seed
 *            its seed then
 * @param offset
 *            its offset then
 */
record RandomState(Generator generator, long seed, long offset) {

    static RandomState of(Device device) {
        Generator generator = Generator.of(device);
        return new RandomState(generator, generator.initialSeed(), generator.offset());
    }

    /** Goes back there, until the returned state is closed. */
    GradMode.State replay() {
        RandomState now = new RandomState(generator, generator.initialSeed(), generator.offset());
        set();
        return now::set;
    }

    private void set() {
        generator.manualSeed(seed);
        generator.offset(offset);
    }
}
