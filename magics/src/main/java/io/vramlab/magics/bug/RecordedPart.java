package io.vramlab.magics.bug;

import io.vramlab.magics.text.ReadableSizes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

/**
 * What one cell did to one GPU's memory, with what is needed to do it again.
 *
 * @param cell the n of In [n]
 * @param device the GPU, for instance {@code cuda:0}
 * @param environment versions, the GPU's profile, seed: names and values
 * @param settings the allocator's settings when the cell ended
 * @param total bytes of the device
 * @param limit bytes that might be reserved, 0 for no limit
 * @param happened how many events there were
 * @param previous the checksum of the part before it, empty for the first
 * @param events the events, fewer than there were when thinned
 * @param state what the memory came to at the cell's end; empty when there was no room for it
 * @param ended whether nothing is recorded after it, because the file has grown by as much as it may
 */
public record RecordedPart(int cell, String device, Map<String, String> environment, String settings, long total,
        long limit, int happened, String previous, Events events, StateTables state, boolean ended) {

    /** The form's name in a notebook file. */
    public static final String TYPE = "application/vnd.vramlab.history+json";

    private static final int FORMAT = 2;
    private static final long MOST_BYTES = 1L << 50;

    /** Whether events were left out to keep the file small. */
    public boolean thinned() {
        return events.size() < happened;
    }

    /** What it is, for readers and for tools that do not know it. */
    public String text() {
        return "Recorded for a bug report: In [" + cell + "], " + device + ", "
                + ReadableSizes.count(happened, "memory event")
                + (thinned() ? ", of which " + ReadableSizes.exact(events.size()) + " are kept" : "")
                + ".\nReplay it with: vramlab replay NOTEBOOK"
                + (ended ? ". Recording ends here: the notebook has grown by 2 MB" : "");
    }

    /** As it stands in the file. */
    public String json() {
        JsonObject json = content();
        json.addProperty("checksum", checksum(json));
        return json.toString();
    }

    /** What the next part names as the one before it. */
    public String checksum() {
        return checksum(content());
    }

    private JsonObject content() {
        return content(events.packed(), state.packed());
    }

    private JsonObject content(String events, String tables) {
        JsonObject json = new JsonObject();
        json.addProperty("format", FORMAT);
        json.addProperty("cell", cell);
        json.addProperty("device", device);
        JsonObject names = new JsonObject();
        new TreeMap<>(environment).forEach(names::addProperty);
        json.add("environment", names);
        json.addProperty("settings", settings);
        json.addProperty("total", total);
        json.addProperty("limit", limit);
        json.addProperty("happened", happened);
        json.addProperty("kept", this.events.size());
        json.addProperty("previous", previous);
        json.addProperty("events", events);
        json.addProperty("state", tables);
        if (ended) {
            json.addProperty("ended", true);
        }
        return json;
    }

    private static String checksum(JsonObject content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(content.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads what stands in a file.
     *
     * @throws BrokenHistoryException when it was cut off or altered, or is none
     */
    public static RecordedPart read(JsonElement element) throws BrokenHistoryException {
        try {
            JsonElement parsed = element instanceof JsonPrimitive text
                    ? JsonParser.parseString(text.getAsString())
                    : element;
            JsonObject json = parsed.getAsJsonObject().deepCopy();
            if (json.get("format").getAsInt() != FORMAT) {
                throw new BrokenHistoryException(
                        "it has format " + json.get("format") + "; format " + FORMAT + " is read");
            }
            String checksum = json.remove("checksum").getAsString();
            Map<String, String> environment = new TreeMap<>();
            json.getAsJsonObject("environment").asMap()
                    .forEach((name, value) -> environment.put(name, value.getAsString()));
            RecordedPart part = new RecordedPart(json.get("cell").getAsInt(), json.get("device").getAsString(),
                    environment,
                    json.get("settings").getAsString(), bytes(json, "total"), bytes(json, "limit"),
                    json.get("happened").getAsInt(), json.get("previous").getAsString(),
                    Events.unpacked(json.get("events").getAsString()),
                    StateTables.unpacked(json.get("state").getAsString()), json.has("ended"));
            boolean whole = part.events.size() == json.get("kept").getAsInt() && part.events.size() <= part.happened;
            if (!whole || !checksum(part.content(json.get("events").getAsString(), json.get("state").getAsString()))
                    .equals(checksum)) {
                throw new BrokenHistoryException("its checksum does not fit: it was altered after it was recorded");
            }
            return part;
        } catch (JsonParseException | IllegalStateException | NullPointerException | ClassCastException
                | NumberFormatException | UnsupportedOperationException | StackOverflowError broken) {
            throw new BrokenHistoryException("it is no recorded history: something is missing or cut off");
        }
    }

    private static long bytes(JsonObject json, String name) throws BrokenHistoryException {
        long bytes = json.get(name).getAsLong();
        if (bytes < 0 || bytes > MOST_BYTES) {
            throw new BrokenHistoryException("its " + name + " is no possible size");
        }
        return bytes;
    }
}
