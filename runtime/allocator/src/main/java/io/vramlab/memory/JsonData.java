package io.vramlab.memory;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import com.google.gson.stream.MalformedJsonException;
import io.vramlab.memory.internal.pickle.MemoryBudget;
import io.vramlab.memory.internal.pickle.PickleFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A snapshot's data as JSON, both ways, within the same bounds as pickles. */
final class JsonData {

    private static final int MOST_DEPTH = 24;

    private final JsonReader in;
    private final MemoryBudget budget = new MemoryBudget();

    private JsonData(final JsonReader in) {
        this.in = in;
    }

    static Object read(final InputStream stream) throws IOException {
        try (Reader text = new InputStreamReader(stream, StandardCharsets.UTF_8);
                JsonReader reader = new JsonReader(text)) {
            return new JsonData(reader).value(0);
        } catch (final MalformedJsonException | NumberFormatException | IllegalStateException e) {
            throw new PickleFormatException("its JSON is damaged: " + e.getMessage());
        }
    }

    private Object value(final int depth) throws IOException {
        if (depth > MOST_DEPTH) {
            throw new PickleFormatException("it is nested more than " + MOST_DEPTH + " deep");
        }
        return switch (in.peek()) {
            case BEGIN_ARRAY -> array(depth);
            case BEGIN_OBJECT -> object(depth);
            case STRING -> string(in.nextString());
            case BOOLEAN -> in.nextBoolean();
            case NUMBER -> number(in.nextString());
            case NULL -> {
                in.nextNull();
                yield null;
            }
            default -> throw new PickleFormatException("its JSON ends in the middle");
        };
    }

    private List<Object> array(final int depth) throws IOException {
        budget.spend(MemoryBudget.CONTAINER);
        final List<Object> list = new ArrayList<>();
        in.beginArray();
        while (in.hasNext()) {
            budget.spend(MemoryBudget.ITEM);
            list.add(value(depth + 1));
        }
        in.endArray();
        return list;
    }

    private Map<String, Object> object(final int depth) throws IOException {
        budget.spend(MemoryBudget.CONTAINER);
        final Map<String, Object> map = new LinkedHashMap<>();
        in.beginObject();
        while (in.hasNext()) {
            budget.spend(MemoryBudget.ENTRY);
            map.put(in.nextName(), value(depth + 1));
        }
        in.endObject();
        return map;
    }

    private String string(final String text) throws IOException {
        budget.spend(MemoryBudget.VALUE + 2L * text.length());
        return text;
    }

    private Object number(final String text) throws IOException {
        budget.spend(MemoryBudget.VALUE);
        if (text.length() > 40) {
            throw new PickleFormatException("it holds a number of " + text.length() + " digits");
        }
        if (text.indexOf('.') >= 0 || text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
            return Double.valueOf(text);
        }
        final BigDecimal exact = new BigDecimal(text);
        return exact.toBigInteger().bitLength() < 64 ? (Object) exact.longValueExact() : exact.toBigInteger();
    }

    static void write(final Object value, final OutputStream stream) throws IOException {
        final Writer text = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
        final JsonWriter out = new JsonWriter(text);
        out.setHtmlSafe(false);
        write(value, out);
        out.flush();
    }

    private static void write(final Object value, final JsonWriter out) throws IOException {
        switch (value) {
            case null -> out.nullValue();
            case final String text -> out.value(text);
            case final Boolean truth -> out.value(truth);
            case final Number number -> out.value(number);
            case final List<?> list -> {
                out.beginArray();
                for (final Object item : list) {
                    write(item, out);
                }
                out.endArray();
            }
            case final Map<?, ?> map -> {
                out.beginObject();
                for (final Map.Entry<?, ?> entry : map.entrySet()) {
                    out.name((String) entry.getKey());
                    write(entry.getValue(), out);
                }
                out.endObject();
            }
            default -> throw new IllegalArgumentException("JSON cannot hold a " + value.getClass().getName() + ".");
        }
    }
}
