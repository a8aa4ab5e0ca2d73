package io.vramlab.device.internal.cpu.kernels.random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

/** The known answers that Random123 publishes for philox4x32-10. */
class PhiloxTest {

    private static int[] words(long seed, long counter, long upper) {
        int[] words = new int[4];
        Philox.block(seed, counter, upper, words, 0);
        return words;
    }

    @Test
    void zeroKeyAndCounter() {
        assertArrayEquals(new int[]{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, words(0, 0, 0));
    }

    @Test
    void allBitsSet() {
        assertArrayEquals(new int[]{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}, words(-1, -1, -1));
    }

    @Test
    void theDigitsOfPi() {
        assertArrayEquals(new int[]{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
                words(0x299f31d0a4093822L, 0x85a308d3243f6a88L, 0x0370734413198a2eL));
    }
}
