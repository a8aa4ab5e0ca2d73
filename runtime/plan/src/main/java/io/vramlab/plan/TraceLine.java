package io.vramlab.plan;

import java.util.List;
import java.util.Map;

/**
 * A line of a recording after the first: a kind, and its values (docs/plan.md, "The file").
 */
final class TraceLine {

    private final List<Object> values;

    /**
     * One that was read.
     *
     * @param values
     *            as {@link TraceValues} reads them
     */
    TraceLine(List<Object> values) {
        this.values = values;
    }

    String kind() {
        return text(0);
    }

    int size() {
        return values.size();
    }

    Object at(int i) {
        return values.get(i);
    }

    String text(int i) {
        return as(String.class, i);
    }

    long number(int i) {
        return as(Long.class, i);
    }

    int small(int i) {
        return (int) number(i);
    }

    boolean flag(int i) {
        return as(Boolean.class, i);
    }

    List<?> list(int i) {
        return as(List.class, i);
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> named(int i) {
        return as(Map.class, i);
    }

    long[] numbers(int i) {
        List<?> list = list(i);
        long[] numbers = new long[list.size()];
        for (int n = 0; n < numbers.length; n++) {
            numbers[n] = (Long) list.get(n);
        }
        return numbers;
    }

    private <T> T as(Class<T> type, int i) {
        if (!type.isInstance(values.get(i))) {
            throw new IllegalStateException("value " + i + " is no " + type.getSimpleName());
        }
        return type.cast(values.get(i));
    }
}
