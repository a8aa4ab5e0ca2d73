package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.vramlab.device.DType;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/** Opens recordings: JSON, gzip-compressed or not, up to a bound. */
final class Recordings {

    private static final int MOST_BYTES = 1 << 30;

    private Recordings() {
    }

    /**
     * Reads a recording and works on it.
     *
     * @throws RecordingFormatException
     *             if it is not what {@code work} expects, in one line
     * @throws IOException
     *             if it cannot be read
     */
    static <T> T with(Path file, Function<JsonObject, T> work) throws IOException {
        try {
            return work.apply(JsonParser.parseString(text(file)).getAsJsonObject());
        } catch (JsonParseException | IllegalStateException | ClassCastException | UnsupportedOperationException
                | MalformedRecordingException e) {
            throw new RecordingFormatException(file.getFileName() + " is not a recording that can be replayed: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("a part is missing"), e);
        }
    }

    private static String text(Path file) throws IOException {
        try (PushbackInputStream raw = new PushbackInputStream(Files.newInputStream(file), 2)) {
            byte[] start = raw.readNBytes(2);
            raw.unread(start);
            boolean gzip = start.length == 2 && start[0] == 0x1f && start[1] == (byte) 0x8b;
            try (InputStream in = gzip ? new GZIPInputStream(raw, 1 << 16) : raw) {
                byte[] bytes = in.readNBytes(MOST_BYTES);
                if (in.read() >= 0) {
                    throw new RecordingFormatException(file.getFileName() + " holds more than " + (MOST_BYTES >> 20)
                            + " MiB once unpacked: no recording does. It was not read further.", null);
                }
                return new String(bytes, StandardCharsets.UTF_8);
            }
        }
    }

    /** A member that must be there. */
    static JsonElement need(JsonObject o, String name) {
        JsonElement e = o.get(name);
        if (e == null || e.isJsonNull()) {
            throw new MalformedRecordingException("\"" + name + "\" is missing");
        }
        return e;
    }

    /** A list that must be there. */
    static JsonArray array(JsonObject o, String name) {
        return need(o, name).getAsJsonArray();
    }

    /** The entry of a list that must be long enough. */
    static JsonElement need(JsonArray a, int i) {
        if (i >= a.size()) {
            throw new MalformedRecordingException("a list of " + a.size() + " should have an entry " + i);
        }
        return a.get(i);
    }

    static long[] longs(JsonArray a) {
        long[] out = new long[a.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = a.get(i).getAsLong();
        }
        return out;
    }

    /** A dtype by PyTorch's name. */
    static DType dtype(String name) {
        return Arrays.stream(DType.values()).filter(d -> d.label().equals(name)).findFirst()
                .orElseThrow(() -> new MalformedRecordingException("the dtype " + name + " is unknown"));
    }

    static boolean flag(JsonObject o, String name) {
        return o.has(name) && o.get(name).getAsBoolean();
    }
}
