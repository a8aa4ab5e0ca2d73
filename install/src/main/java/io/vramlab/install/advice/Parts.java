package io.vramlab.install.advice;

/** Parts of a whole, in words. */
final class Parts {

    private Parts() {
    }

    /** {@code half of}, {@code a quarter of} and so on, for a power of two up to 16. */
    static String of(int parts) {
        return switch (parts) {
            case 2 -> "half of";
            case 4 -> "a quarter of";
            case 8 -> "an eighth of";
            case 16 -> "a sixteenth of";
            default -> throw new IllegalArgumentException("no word for a " + parts + "th");
        };
    }
}
