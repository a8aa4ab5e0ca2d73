package io.vramlab.plan;

import java.nio.charset.StandardCharsets;

/** Texts that were met lately: a recording has few, and each many times. */
final class MetTexts {

    private static final int LATELY = 1 << 10;

    private final String[] texts = new String[LATELY];

    /** These bytes as a text; equal ones are mostly one text. */
    String text(byte[] bytes, int from, int to, int hash) {
        int place = (hash ^ hash >>> 16) & LATELY - 1;
        String known = texts[place];
        if (known == null || !isThis(known, bytes, from, to)) {
            known = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            texts[place] = known;
        }
        return known;
    }

    /** A text of more than ASCII never is: a byte of it is negative. */
    private static boolean isThis(String text, byte[] bytes, int from, int to) {
        if (text.length() != to - from) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (text.charAt(i - from) != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
