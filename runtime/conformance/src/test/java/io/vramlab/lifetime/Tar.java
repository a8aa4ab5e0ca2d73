package io.vramlab.lifetime;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a tar file of short names. */
final class Tar {

    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int SIZE = 124;
    private static final int SIZE_END = 135;

    private Tar() {
    }

    /** Its files by name. */
    static Map<String, byte[]> members(byte[] tar) {
        Map<String, byte[]> members = new LinkedHashMap<>();
        int at = 0;
        while (at + BLOCK <= tar.length && tar[at] != 0) {
            String name = new String(tar, at, NAME, StandardCharsets.US_ASCII).split("\0")[0];
            int size = Integer.parseInt(
                    new String(tar, at + SIZE, SIZE_END - SIZE, StandardCharsets.US_ASCII).strip(), 8);
            at += BLOCK;
            members.put(name, Arrays.copyOfRange(tar, at, at + size));
            at += (size + BLOCK - 1) / BLOCK * BLOCK;
        }
        return members;
    }
}
