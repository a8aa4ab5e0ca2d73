package io.vramlab.plan;

import com.google.gson.stream.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Reads a recording's lines, JSON as Python writes it, in one pass and with as few objects as may be: a long recording has hundreds of
 * thousands of lines, and its reading was half of a plan's time by a reader of any JSON. Numbers without a fraction are Long, others
 * Double, lists List, a tensor is a {@link TensorRef}; NaN and Infinity are texts.
 */
final class TraceValues {

    private static final int LONGEST_WHOLE = 18;
    /** The arguments that an operation's line gives by name; all other objects are one value. */
    private static final int NAMED = 6;
    private static final int FEW = 4;

    private final TraceText text;
    private final LongFunction<TensorForm> forms;
    private final MetTexts met = new MetTexts();
    private byte[] bytes;
    private int at;
    private int end;

    /**
     * Of these lines.
     *
     * @param forms
     *            the tensors' forms by number, null for one that was not told
     */
    TraceValues(TraceText text, LongFunction<TensorForm> forms) {
        this.text = text;
        this.forms = forms;
    }

    /**
     * Reads the line at which the text is.
     *
     * @throws MalformedJsonException
     *             if it is cut or no JSON
     * @throws IllegalStateException
     *             if it is no list, or its values are none of a recording
     */
    TraceLine line() throws MalformedJsonException {
        bytes = text.bytes();
        at = text.start();
        end = text.end();
        if (next() != '[') {
            throw new IllegalStateException("a line is no list");
        }
        at++;
        List<Object> values = new ArrayList<>();
        while (isMore(values.isEmpty(), ']')) {
            values.add(values.size() == NAMED && "o".equals(values.getFirst()) ? named() : value());
        }
        skip();
        if (at < end) {
            throw new MalformedJsonException("something follows the line's end");
        }
        return new TraceLine(values);
    }

    private void skip() {
        while (at < end && bytes[at] <= ' ' && bytes[at] >= 0) {
            at++;
        }
    }

    /** The next byte that is no space, where the reader stays. */
    private byte next() throws MalformedJsonException {
        skip();
        if (at == end) {
            throw new MalformedJsonException("the line is cut");
        }
        return bytes[at];
    }

    private void expect(char what) throws MalformedJsonException {
        if (next() != what) {
            throw new MalformedJsonException("there is no " + what);
        }
        at++;
    }

    /** Whether a list or an object goes on, after the comma; goes behind its end. */
    private boolean isMore(boolean first, char closing) throws MalformedJsonException {
        if (next() == closing) {
            at++;
            return false;
        }
        if (!first) {
            expect(',');
        }
        return true;
    }

    private Object value() throws MalformedJsonException {
        return switch (next()) {
            case '[' -> list();
            case '{' -> object();
            case '"' -> string();
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> word();
        };
    }

    private List<Object> list() throws MalformedJsonException {
        at++;
        if (next() == ']') {
            at++;
            return Collections.emptyList();
        }
        List<Object> list = new ArrayList<>(FEW);
        while (isMore(list.isEmpty(), ']')) {
            list.add(value());
        }
        return list;
    }

    /** A tensor, or a text under any name. */
    private Object object() throws MalformedJsonException {
        at++;
        String name = name();
        Object inside = name.equals("t") ? tensor() : value();
        expect('}');
        if (!(inside instanceof TensorRef) && !(inside instanceof String)) {
            throw new IllegalStateException(name + " is no text");
        }
        return inside;
    }

    private String name() throws MalformedJsonException {
        if (next() != '"') {
            throw new MalformedJsonException("there is no name");
        }
        String name = string();
        expect(':');
        return name;
    }

    private TensorRef tensor() throws MalformedJsonException {
        expect('[');
        long storage = whole();
        expect(',');
        long number = whole();
        expect(']');
        TensorForm form = forms.apply(number);
        if (form == null) {
            throw new IllegalStateException("form " + number + " has not been told");
        }
        return new TensorRef(storage, form);
    }

    private long whole() throws MalformedJsonException {
        next();
        if (!(number() instanceof Long whole)) {
            throw new IllegalStateException("a tensor has a number with a fraction");
        }
        return whole;
    }

    private Map<String, Object> named() throws MalformedJsonException {
        expect('{');
        if (next() == '}') {
            at++;
            return Collections.emptyMap();
        }
        Map<String, Object> named = LinkedHashMap.newLinkedHashMap(FEW);
        while (isMore(named.isEmpty(), '}')) {
            named.put(name(), value());
        }
        return named;
    }

    private Object number() throws MalformedJsonException {
        int from = at;
        long whole = 0;
        boolean negative = bytes[at] == '-';
        at += negative ? 1 : 0;
        int digits = at;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            whole = 10 * whole + bytes[at++] - '0';
        }
        if (at == digits) {
            return word();
        }
        if (at - digits <= LONGEST_WHOLE && (at == end || !isOfFraction(bytes[at]))) {
            return negative ? -whole : whole;
        }
        while (at < end && (isOfFraction(bytes[at]) || bytes[at] >= '0' && bytes[at] <= '9')) {
            at++;
        }
        return Double.valueOf(new String(bytes, from, at - from, StandardCharsets.US_ASCII));
    }

    private static boolean isOfFraction(byte next) {
        return next == '.' || next == 'e' || next == 'E' || next == '+' || next == '-';
    }

    /** What Python writes without quotes; a minus before it may be behind the reader. */
    private Object word() throws MalformedJsonException {
        int from = at > 0 && bytes[at - 1] == '-' ? at - 1 : at;
        while (at < end && Character.isLetter(bytes[at])) {
            at++;
        }
        String word = new String(bytes, from, at - from, StandardCharsets.US_ASCII);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            case "NaN", "Infinity", "-Infinity" -> word;
            default -> throw new MalformedJsonException("\"" + word + "\" is no value");
        };
    }

    private String string() throws MalformedJsonException {
        int from = ++at;
        int hash = 0;
        while (at < end && bytes[at] != '"' && bytes[at] != '\\') {
            hash = 31 * hash + bytes[at++];
        }
        if (at == end) {
            throw new MalformedJsonException("a text is cut");
        }
        if (bytes[at] == '"') {
            return met.text(bytes, from, at++, hash);
        }
        return escaped(from);
    }

    private String escaped(int from) throws MalformedJsonException {
        StringBuilder text = new StringBuilder();
        int plain = from;
        while (true) {
            if (at == end) {
                throw new MalformedJsonException("a text is cut");
            }
            byte next = bytes[at];
            if (next == '"' || next == '\\') {
                text.append(new String(bytes, plain, at - plain, StandardCharsets.UTF_8));
                at++;
                if (next == '"') {
                    return text.toString();
                }
                text.append(escape());
                plain = at;
            } else {
                at++;
            }
        }
    }

    private char escape() throws MalformedJsonException {
        if (at == end) {
            throw new MalformedJsonException("a text is cut");
        }
        byte which = bytes[at++];
        return switch (which) {
            case '"', '\\', '/' -> (char) which;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw new MalformedJsonException("\\" + (char) which + " is no character");
        };
    }

    private char unicode() throws MalformedJsonException {
        int code = 0;
        for (int i = 0; i < Character.BYTES * 2; i++) {
            int digit = at < end ? Character.digit(bytes[at++], 16) : -1;
            if (digit < 0) {
                throw new MalformedJsonException("a text has half a character");
            }
            code = 16 * code + digit;
        }
        return (char) code;
    }
}
