package io.vramlab.plan;

import io.vramlab.memory.AllocatorSettings;
import java.util.Optional;

/** Why PyTorch refuses a settings text, in a sentence: its own words are a C++ function's name, or a report of a bug. */
public final class SettingsRefusal {

    private static final String ASSERTED = "please report a bug to PyTorch. ";

    private SettingsRefusal() {
    }

    /**
     * Reads a text as PyTorch does.
     *
     * @param settings
     *            as in {@code PYTORCH_CUDA_ALLOC_CONF}
     * @return why they are refused; empty if they are not
     */
    public static Optional<String> of(String settings) {
        try {
            AllocatorSettings.DEFAULT.with(settings);
            return Optional.empty();
        } catch (IllegalArgumentException value) {
            return Optional.of(value(value.getMessage()));
        } catch (IllegalStateException asserted) {
            String text = asserted.getMessage();
            int from = text.indexOf(ASSERTED);
            return Optional.of(
                    "PyTorch fails an assertion over it: "
                            + (from < 0 ? text : text.substring(from + ASSERTED.length()))
                            + ".");
        }
    }

    private static String value(String words) {
        return switch (words) {
            case "stoull" -> "A whole number belongs where another word stands, or it is too large (PyTorch: stoull).";
            case "stod" -> "A number belongs where another word stands (PyTorch: stod).";
            default -> "PyTorch refuses it: " + words + (words.endsWith(".") ? "" : ".");
        };
    }
}
