package io.vramlab.kernel.internal.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SeenSignaturesTest {

    private static byte[] signature(long number) {
        byte[] hex = new byte[64];
        long mixed = number * 0x9E3779B97F4A7C15L;
        for (int i = 0; i < hex.length; i++) {
            hex[i] = (byte) Character.forDigit((int) (mixed >>> 60 - 4 * (i % 16)) & 15, 16);
        }
        return hex;
    }

    @Test
    void aSignatureIsKnownAfterAMillionOthers() {
        SeenSignatures seen = new SeenSignatures();
        assertTrue(seen.add(signature(0x5eedL << 32)));
        for (int i = 1; i <= 1_000_000; i++) {
            assertTrue(seen.add(signature(i)));
        }
        assertFalse(seen.add(signature(0x5eedL << 32)));
        assertFalse(seen.add(signature(1)));
        assertFalse(seen.add(signature(1_000_000)));
    }

    @Test
    void asManyAsAreDocumentedAreKnownAndNoMoreThanTwiceThatAreKept() {
        SeenSignatures seen = new SeenSignatures();
        for (int i = 1; i <= 2 * SeenSignatures.MOST + 1; i++) {
            assertTrue(seen.add(signature(i)));
        }
        assertFalse(seen.add(signature(SeenSignatures.MOST + 1)));
        assertTrue(seen.add(signature(1)), "forgotten, in place of memory without end");
    }

    @Test
    void zerosAreASignatureLikeAnother() {
        SeenSignatures seen = new SeenSignatures();
        byte[] zeros = "0".repeat(64).getBytes(US_ASCII);
        assertTrue(seen.add(zeros));
        assertFalse(seen.add(zeros));
    }
}
