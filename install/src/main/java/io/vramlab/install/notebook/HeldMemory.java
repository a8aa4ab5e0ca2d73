package io.vramlab.install.notebook;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Memory held from a device, of which only sizes were recorded: which piece was given back is not known, and does not matter
 * for how much is held.
 */
final class HeldMemory {

    /** Far above the addresses of blocks. */
    private static final long FIRST_ADDRESS = 1L << 61;

    private final TreeMap<Long, Long> pieces = new TreeMap<>();
    private long next = FIRST_ADDRESS;
    private long bytes;

    /** A range of addresses. */
    record Piece(long address, long bytes) {
    }

    /** Takes memory; its address. */
    long gain(long size) {
        long address = next;
        pieces.put(address, size);
        next = Math.addExact(next, size);
        bytes += size;
        return address;
    }

    /** Whether that much is held. */
    boolean holds(long size) {
        return size <= bytes;
    }

    /** Gives memory back, the newest piece of just that size, or else the newest pieces until it is enough. */
    List<Piece> release(long size) {
        List<Piece> given = new ArrayList<>();
        for (var piece : pieces.descendingMap().entrySet()) {
            if (piece.getValue() == size) {
                given.add(new Piece(piece.getKey(), size));
                break;
            }
        }
        long rest = given.isEmpty() ? size : 0;
        for (var piece : pieces.descendingMap().entrySet()) {
            if (rest == 0) {
                break;
            }
            long part = Math.min(rest, piece.getValue());
            given.add(new Piece(piece.getKey() + piece.getValue() - part, part));
            rest -= part;
        }
        given.forEach(this::remove);
        bytes -= size;
        return given;
    }

    private void remove(Piece given) {
        long address = pieces.floorKey(given.address());
        long left = given.address() - address;
        if (left == 0) {
            pieces.remove(address);
        } else {
            pieces.put(address, left);
        }
    }
}
