package io.vramlab.magics;

import io.vramlab.magics.picture.Paint;
import io.vramlab.magics.picture.Palette;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The paints of groups: kinds always have the same ones, other groups get them in the order they appear. */
final class Kinds {

    /** What a block is called that no tensor lies in. */
    static final String NO_TENSOR = "not a tensor's";

    private static final List<String> ORDER = List.of("Parameter", "Activation", "Gradient", "OptimizerState", "Other",
            "Temporary", "Buffer", NO_TENSOR);

    private final Map<String, Paint> paints = new LinkedHashMap<>();
    private final boolean fixed;

    /** With fixed paints for kinds if {@code fixed}. */
    Kinds(boolean fixed) {
        this.fixed = fixed;
    }

    Paint paint(String group) {
        int kind = ORDER.indexOf(group);
        if (fixed && kind >= 0) {
            return Palette.group(kind);
        }
        return paints.computeIfAbsent(group,
                g -> paints.size() < Palette.size() ? Palette.group(paints.size()) : Palette.OTHER);
    }
}
