package io.vramlab.optim;

/** Checks of optimizer settings, in PyTorch's words. */
final class Settings {

    private Settings() {
    }

    static double notNegative(String name, double value) {
        if (!(value >= 0)) {
            throw new IllegalArgumentException(
                    "Invalid " + name + " value: " + value + ". It must be 0 or more.");
        }
        return value;
    }

    static double fraction(String name, double value) {
        if (!(value >= 0 && value < 1)) {
            throw new IllegalArgumentException(
                    "Invalid " + name + " parameter: " + value + ". It must be at least 0 and less than 1.");
        }
        return value;
    }
}
