package io.vramlab.kernel.spi;

import java.util.Map;

/**
 * A value that says itself how it is shown: {@code new MimeBundle(Map.of("text/plain", "…", "text/html", "<b>…</b>"))}.
 *
 * @param data
 *            MIME type to text, "image/png" as base64; must hold {@code text/plain}
 */
public record MimeBundle(Map<String, String> data) {

    /** Copies the map. */
    public MimeBundle {
        data = Map.copyOf(data);
        if (!data.containsKey("text/plain")) {
            throw new IllegalArgumentException("a MimeBundle without text/plain: it has only " + data.keySet()
                    + ". Add a text/plain: consoles show nothing else");
        }
    }

    /** Text alone. */
    public static MimeBundle text(String plain) {
        return new MimeBundle(Map.of("text/plain", plain));
    }

    @Override
    public String toString() {
        return data.get("text/plain");
    }
}
