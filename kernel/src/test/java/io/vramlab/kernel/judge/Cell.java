package io.vramlab.kernel.judge;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A cell.
 *
 * @param parts
 *            its snippets
 * @param open
 *            whether the semicolon of the last one is left out
 */
record Cell(List<Part> parts, boolean open) {

    /** What the user would type. */
    String text() {
        String text = parts.stream().map(Part::text).collect(Collectors.joining("\n"));
        return open && text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
    }
}
