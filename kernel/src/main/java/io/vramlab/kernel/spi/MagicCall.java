package io.vramlab.kernel.spi;

/**
 * One use of a magic.
 *
 * @param name
 *            the name without percent signs
 * @param arguments
 *            the text after the name, trimmed; may be empty
 * @param body
 *            the rest of the cell for {@code %%name}, null for {@code %name}
 * @param bodyLine
 *            the cell line (from 1) on which the body begins, 0 without one
 * @param session
 *            what the magic may ask of the kernel
 */
public record MagicCall(String name, String arguments, String body, int bodyLine, Session session) {

    /** True for {@code %%name}. */
    public boolean hasBody() {
        return body != null;
    }
}
