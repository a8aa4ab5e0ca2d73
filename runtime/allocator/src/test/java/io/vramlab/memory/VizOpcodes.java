package io.vramlab.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Steps through a pickle as the memory_viz page does, with the opcodes that it knows and no others. */
final class VizOpcodes {

    private final ByteBuffer in;

    VizOpcodes(final byte[] pickle) {
        in = ByteBuffer.wrap(pickle).order(ByteOrder.LITTLE_ENDIAN);
    }

    boolean areAllReadable() {
        int opcode;
        do {
            opcode = in.get() & 0xff;
            switch (opcode) {
                case 0x80 -> {
                    final int protocol = in.get();
                    if (protocol < 2 || protocol > 4) {
                        return false;
                    }
                }
                case '}', 'd', 's', 'u', ']', 'l', 'a', 'e', ')', 0x85, 0x86, 0x87, 't', '(', 0x88, 0x89, 'N', 0x94,
                        '.' -> {
                    // no argument
                }
                case 'K', 'q', 'h' -> in.get();
                case 'M' -> in.getShort();
                case 'J', 'r', 'j' -> in.getInt();
                case 'G', 0x95 -> in.getLong();
                case 0x8a, 0x8c -> skip(in.get() & 0xff);
                case 'X' -> skip(in.getInt());
                default -> {
                    return false;
                }
            }
        } while (opcode != '.');
        return !in.hasRemaining();
    }

    private void skip(final int bytes) {
        in.position(in.position() + bytes);
    }
}
