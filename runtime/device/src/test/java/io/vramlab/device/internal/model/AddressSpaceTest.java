package io.vramlab.device.internal.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Addresses are chosen as an H200's driver chose them in the recorded runs. */
class AddressSpaceTest {

    private static final long MIB = 1L << 20;
    private static final long TOP = 0x7f40_0000_0000L;

    private static AddressSpace space() {
        return new AddressSpace(TOP, 4L << 30, Backing.NONE);
    }

    @Test
    void theRecordedDriversFirstChoicesAreOurs() {
        // trace default_edge_s12: 20 MiB at 0x7faff0800000 (8 MiB into a region of the context), 12 at 0x7fafd0000000,
        // 20 at 0x7fafd0c00000 (12 MiB into that region), 22 at 0x7fafce000000, 64 at 0x7fafca000000,
        // 2 at 0x7fafcf600000, 66 at 0x7fafc4000000, 22 at 0x7fafc8200000, 202 at 0x7fafb6000000
        AddressSpace space = space();
        space.takeContext();
        long context = TOP - 32 * MIB;

        assertEquals(context + 8 * MIB, space.take(20 * MIB));
        long first = space.take(12 * MIB);
        assertEquals(first + 0xc00000, space.take(20 * MIB));
        assertEquals(first - 0x2000000, space.take(22 * MIB));
        assertEquals(first - 0x6000000, space.take(64 * MIB));
        assertEquals(first - 0xa00000, space.take(2 * MIB));
        assertEquals(first - 0xc000000, space.take(66 * MIB));
        assertEquals(first - 0x7e00000, space.take(22 * MIB));
        assertEquals(first - 0x1a000000, space.take(202 * MIB));
    }

    @Test
    void withTheFirstKernelAHoleOpensThatSegmentsFillFromBelow() {
        // an H100's maml_conv4_functional_vmap, from the first segment of 2 MiB on: 20 MiB 74 above it; three of 30 MiB of a
        // convolution's operands, of which the last is asked for before the kernel runs, in regions of their own; then 30 MiB at the
        // start of the region whose end the first segment has, 414 below it
        AddressSpace space = space();
        space.takeContext();
        long first = space.take(2 * MIB);
        assertEquals(first + 74 * MIB, space.take(20 * MIB));
        assertEquals(first - 446 * MIB, space.take(30 * MIB));

        space.giveLocalMemory();

        assertEquals(first - 414 * MIB, space.take(30 * MIB));
        assertEquals(first - 384 * MIB, space.take(16 * MIB));
    }

    @Test
    void whereNothingElseLiesInTheContextsRegionNewOnesAreMadeFromItsEndDown() {
        // an H100's translation_transformer_beam_search: segments of 48, 40, 2 and twice 20 MiB before the first kernel, none in the last 2 MiB of the
        // context's region, which begins where the first one's region ends; afterwards 20 MiB 384 above that, and 32 MiB 96 below these
        AddressSpace space = space();
        space.takeContext();
        long start = space.take(48 * MIB) + 64 * MIB;
        space.take(40 * MIB);
        space.take(2 * MIB);
        space.take(20 * MIB);
        assertEquals(start + 488 * MIB, space.take(20 * MIB), "after the context's 8 MiB, in the region above");
        space.giveLocalMemory();

        assertEquals(start + 384 * MIB, space.take(20 * MIB));
        space.take(64 * MIB); // cuBLAS's code
        assertEquals(start + 288 * MIB, space.take(32 * MIB));
    }

    @Test
    void anEmptyRegionIsDissolvedAndItsAddressesAreUsedAgain() {
        AddressSpace space = space();
        long a = space.take(64 * MIB);
        space.take(64 * MIB);
        space.give(a, 64 * MIB);

        assertEquals(1, space.regions().size());
        // 32 MiB region + the 32 MiB that the driver wants for aligning fit exactly
        assertEquals(a + 32 * MIB, space.take(20 * MIB));
    }

    @Test
    void aNewRegionWantsRoomToBeAligned() {
        AddressSpace space = space();
        long a = space.take(64 * MIB);
        long b = space.take(64 * MIB);
        space.give(a, 64 * MIB);

        assertEquals(b - 64 * MIB, space.take(64 * MIB));
    }

    @Test
    void neverAreTwoTakersGivenOneAddress() {
        AddressSpace space = space();
        TreeMap<Long, Long> live = new TreeMap<>();
        Random random = new Random(5);
        for (int i = 0; i < 5000; i++) {
            if (live.size() > 60 || !live.isEmpty() && random.nextBoolean()) {
                long address = live.keySet().stream().skip(random.nextInt(live.size())).findFirst().orElseThrow();
                space.give(address, live.remove(address));
            } else {
                long bytes = random.nextBoolean()
                        ? 512L * (1 + random.nextInt(100))
                        : 2 * MIB * (1 + random.nextInt(60));
                long address = space.take(bytes);
                assertNotEquals(0, address);
                assertTrue(live.floorEntry(address) == null
                        || live.floorEntry(address).getKey() + live.floorEntry(address).getValue() <= address);
                assertTrue(live.ceilingKey(address) == null || address + bytes <= live.ceilingKey(address));
                live.put(address, bytes);
            }
        }
        live.forEach(space::give);
        assertTrue(space.regions().isEmpty());
    }

    @Test
    void aSecondWindowIsOpenedWhenTheFirstIsFull() {
        AddressSpace space = new AddressSpace(TOP, 128 * MIB, Backing.NONE);
        long a = space.take(64 * MIB);
        long b = space.take(512 * MIB);

        assertEquals(TOP - 64 * MIB, a);
        assertTrue(b + 512 * MIB <= TOP - 128 * MIB);
    }
}
