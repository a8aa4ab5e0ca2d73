package io.vramlab.tensor.type;

/**
 * A range of a dimension as Python writes it between brackets, {@code start:end:step}: what
 * {@link io.vramlab.tensor.Tensor#index} takes where Python has a slice. A missing start, end or step is null; negative ones count from the back.
 *
 * @param start
 *            the first, or null
 * @param end
 *            the one after the last, or null
 * @param step
 *            positive, or null for 1
 */
public record Slice(Long start, Long end, Long step) {

    /** The whole dimension, Python's {@code :}. */
    public static final Slice ALL = new Slice(null, null, null);

    /**
     * {@code start:end}.
     *
     * @param start
     *            the first element
     * @param end
     *            the one after the last
     * @return the slice
     */
    public static Slice of(long start, long end) {
        return new Slice(start, end, null);
    }

    /**
     * {@code start:end:step}.
     *
     * @param start
     *            the first element
     * @param end
     *            the one after the last
     * @param step
     *            positive
     * @return the slice
     */
    public static Slice of(long start, long end, long step) {
        return new Slice(start, end, step);
    }

    /**
     * {@code start:}.
     *
     * @param start
     *            the first element
     * @return the slice
     */
    public static Slice from(long start) {
        return new Slice(start, null, null);
    }

    /**
     * {@code :end}.
     *
     * @param end
     *            the element after the last
     * @return the slice
     */
    public static Slice to(long end) {
        return new Slice(null, end, null);
    }

    /**
     * From Python's text.
     *
     * @param text
     *            such as {@code "2:"} or {@code "::2"}: start, end and step in elements, each of which may be left out
     * @return the slice
     * @throws TensorException
     *             if the text is not a slice
     */
    public static Slice parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length < 2 || parts.length > 3) {
            throw new TensorException(
                    "\"" + text + "\" was given as an index: a text is a slice, such as \"2:\", \":-1\", "
                            + "\"::2\" or \":\", or \"...\" for all dimensions between.");
        }
        try {
            return new Slice(number(parts[0]), number(parts[1]), parts.length == 3 ? number(parts[2]) : null);
        } catch (NumberFormatException e) {
            throw new TensorException(
                    "\"" + text + "\" was given as an index: start, end and step of a slice are whole "
                            + "numbers.");
        }
    }

    private static Long number(String text) {
        return text.isBlank() ? null : Long.valueOf(text.strip());
    }
}
