package io.vramlab.plan;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A line of a recording after the first: a kind, and its values (docs/plan.md, "The file"). Read in one pass, since a long recording
 * has a million of them: numbers without a fraction are Long, others Double, lists List, a tensor is a {@link TensorRef}.
 */
final class TraceLine {

    private static final int LONGEST_WHOLE = 18;
    /** The arguments that an operation's line gives by name; all other objects are one value. */
    private static final int NAMED = 6;

    private final List<Object> values;

    private TraceLine(List<Object> values) {
        this.values = values;
    }

    /**
     * Reads one.
     *
     * @param forms
     *            the tensors' forms by number, null for one that was not told
     * @throws IOException
     *             if it is cut or no JSON
     */
    static TraceLine of(String line, LongFunction<TensorForm> forms) throws IOException {
        JsonReader in = new JsonReader(new StringReader(line));
        in.setStrictness(Strictness.LENIENT); // Infinity, as Python writes it
        List<Object> values = new ArrayList<>();
        in.beginArray();
        while (in.hasNext()) {
            values.add(values.size() == NAMED && "o".equals(values.getFirst()) ? named(in, forms) : value(in, forms));
        }
        in.endArray();
        if (in.peek() != JsonToken.END_DOCUMENT) {
            throw new MalformedJsonException("something follows the line's end");
        }
        return new TraceLine(values);
    }

    private static Object value(JsonReader in, LongFunction<TensorForm> forms) throws IOException {
        return switch (in.peek()) {
            case BEGIN_ARRAY -> {
                List<Object> list = new ArrayList<>();
                in.beginArray();
                while (in.hasNext()) {
                    list.add(value(in, forms));
                }
                in.endArray();
                yield list;
            }
            case BEGIN_OBJECT -> {
                in.beginObject();
                boolean tensor = in.nextName().equals("t");
                Object inside = tensor ? tensor(in, forms) : in.nextString();
                in.endObject();
                yield inside;
            }
            case BOOLEAN -> in.nextBoolean();
            case NUMBER -> number(in.nextString());
            case NULL -> {
                in.nextNull();
                yield null;
            }
            default -> in.nextString();
        };
    }

    private static TensorRef tensor(JsonReader in, LongFunction<TensorForm> forms) throws IOException {
        in.beginArray();
        long storage = in.nextLong();
        long number = in.nextLong();
        in.endArray();
        TensorForm form = forms.apply(number);
        if (form == null) {
            throw new IllegalStateException("form " + number + " has not been told");
        }
        return new TensorRef(storage, form);
    }

    private static Map<String, Object> named(JsonReader in, LongFunction<TensorForm> forms) throws IOException {
        Map<String, Object> named = new LinkedHashMap<>();
        in.beginObject();
        while (in.hasNext()) {
            named.put(in.nextName(), value(in, forms));
        }
        in.endObject();
        return named;
    }

    private static Object number(String text) {
        int first = text.charAt(0) == '-' ? 1 : 0;
        boolean whole = text.length() - first <= LONGEST_WHOLE;
        for (int i = first; i < text.length() && whole; i++) {
            whole = Character.isDigit(text.charAt(i));
        }
        return whole ? (Object) Long.valueOf(text) : (Object) Double.valueOf(text);
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
        return list(i).stream().mapToLong(Long.class::cast).toArray();
    }

    private <T> T as(Class<T> type, int i) {
        if (!type.isInstance(values.get(i))) {
            throw new IllegalStateException("value " + i + " is no " + type.getSimpleName());
        }
        return type.cast(values.get(i));
    }
}
