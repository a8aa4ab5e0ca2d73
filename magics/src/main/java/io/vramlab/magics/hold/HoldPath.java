package io.vramlab.magics.hold;

import java.util.List;

/**
 * A way from a root to an object.
 *
 * @param root
 *            where it begins
 * @param labels
 *            its steps
 */
public record HoldPath(Root root, List<String> labels) {

    /** As Java would nearly write it: {@code net.layer1.weight}, {@code batches[3]}, {@code cache["key"]}. */
    public String text() {
        return root.label() + String.join("", labels);
    }
}
