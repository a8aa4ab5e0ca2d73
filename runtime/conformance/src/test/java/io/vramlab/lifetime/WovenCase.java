package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.Lifetimes;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A program that is woven and run on a simulated GPU of its own. Each of its marks tells how many tensors of 512 bytes there are. */
abstract class WovenCase {

    static final String MAKE = "static Tensor one() { return Tensor.ones(128); }\n";

    final Device device = Device.simulated("1GiB");
    private final Device before = Device.current();
    private final String given;

    WovenCase() {
        this(MAKE);
    }

    /** With these declarations in every program. */
    WovenCase(String given) {
        this.given = given;
    }

    @BeforeEach
    void useIt() {
        Device.set(device);
        Lifetimes.count(true);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.count(false);
        Device.set(before);
        device.close();
    }

    /** Runs a program, and compares how many tensors there were at each {@code mark()}. */
    void marks(String declarations, String statements, long... expected) throws Exception {
        assertEquals(Arrays.stream(expected).boxed().toList(), Woven.run(given + declarations, statements));
    }

    long peak() {
        return Allocators.of(device).stats().get("allocated_bytes.all.peak") / 512;
    }

    long left() {
        return Allocators.of(device).stats().get("allocated_bytes.all.current") / 512;
    }
}
