package io.vramlab.install.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

class HeldMemoryTest {

    private final HeldMemory held = new HeldMemory();

    @Test
    void aPieceOfJustThatSizeIsGivenBackTheNewestFirst() {
        held.gain(20);
        long second = held.gain(20);
        held.gain(30);
        assertEquals(List.of(new HeldMemory.Piece(second, 20)), held.release(20));
    }

    @Test
    void otherwiseTheNewestPiecesGoUntilItIsEnough() {
        long first = held.gain(20);
        long second = held.gain(30);
        // 35 = all of the newest and the last 5 bytes of the one before
        assertEquals(List.of(new HeldMemory.Piece(second, 30), new HeldMemory.Piece(first + 15, 5)), held.release(35));
        assertTrue(held.holds(15));
        assertFalse(held.holds(16));
        assertEquals(List.of(new HeldMemory.Piece(first, 15)), held.release(15));
    }
}
