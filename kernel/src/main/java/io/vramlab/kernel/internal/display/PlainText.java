package io.vramlab.kernel.internal.display;

import java.lang.reflect.Array;
import java.util.StringJoiner;

/** Values as text: {@code toString()}, and arrays with their elements. */
final class PlainText {

    private static final int ELEMENTS = 100;
    private static final int CHARS = 1 << 20;

    private PlainText() {
    }

    /** The text of a value. */
    static String of(Object value) {
        String text = value != null && value.getClass().isArray() ? array(value) : String.valueOf(value);
        return cut(text == null ? "null" : text); // of a toString() that gives none
    }

    /** The beginning of a text that is very long. */
    static String cut(String text) {
        return text.length() <= CHARS
                ? text
                : text.substring(0, CHARS) + "… (%d characters in all)".formatted(text.length());
    }

    private static String array(Object array) {
        int length = Array.getLength(array);
        String type = array.getClass().getComponentType().getSimpleName();
        StringJoiner elements = new StringJoiner(", ", type + "[" + length + "] {", "}");
        for (int i = 0; i < Math.min(length, ELEMENTS); i++) {
            elements.add(Renderers.label(Array.get(array, i)));
        }
        if (length > ELEMENTS) {
            elements.add("…");
        }
        return elements.toString();
    }
}
