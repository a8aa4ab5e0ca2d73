package io.vramlab.kernel.internal.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import java.io.StringReader;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Frames to messages and back: finds the delimiter, checks and makes signatures, reads and writes JSON. */
public final class Codec {

    /** The protocol that this kernel speaks. */
    public static final String PROTOCOL = "5.5";

    private static final byte[] DELIMITER = "<IDS|MSG>".getBytes(US_ASCII);
    private static final int PARTS = 4;
    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().serializeNulls()
            .serializeSpecialFloatingPointValues().create();

    private final Signer signer;
    private final boolean signed;
    private final String session = UUID.randomUUID().toString();
    private final String topic;
    private final SeenSignatures seen = new SeenSignatures();

    /**
     * A codec for one connection.
     *
     * @param signer
     *            makes signatures
     * @param signed
     *            false when the connection has no key: then nothing is checked
     */
    public Codec(Signer signer, boolean signed) {
        this.signer = signer;
        this.signed = signed;
        this.topic = "kernel." + session + ".";
    }

    /**
     * Reads a message.
     *
     * @throws BadMessageException
     *             if it has no delimiter or too few frames, is signed wrongly, was seen before, is not JSON, or has no
     *             type
     */
    public Incoming decode(Channel channel, List<byte[]> frames) throws BadMessageException {
        int delimiter = 0;
        while (delimiter < frames.size() && !Arrays.equals(frames.get(delimiter), DELIMITER)) {
            delimiter++;
        }
        int first = delimiter + 2;
        if (frames.size() < first + PARTS) {
            throw new BadMessageException("%d frames without a whole message in them".formatted(frames.size()));
        }
        byte[] signature = frames.get(delimiter + 1);
        if (signed) {
            byte[] expected = sign(frames.subList(first, first + PARTS));
            if (!MessageDigest.isEqual(expected, signature)) {
                throw new BadMessageException("wrong signature");
            }
        }
        JsonObject header = object(frames.get(first), "header");
        JsonElement type = header.get("msg_type");
        if (type == null || !type.isJsonPrimitive() || !type.getAsJsonPrimitive().isString()) {
            throw new BadMessageException("header without msg_type");
        }
        Incoming message = new Incoming(channel, List.copyOf(frames.subList(0, delimiter)), header,
                object(frames.get(first + 3), "content"), object(frames.get(first + 2), "metadata"),
                List.copyOf(frames.subList(first + PARTS, frames.size())));
        // last, so that what there was no memory for can be read again
        if (signed && !seen.add(signature)) {
            throw new BadMessageException("sent before");
        }
        return message;
    }

    /** The frames of a message, header made now. */
    public List<byte[]> encode(Outgoing message) {
        JsonObject header = new JsonObject();
        header.addProperty("msg_id", UUID.randomUUID().toString());
        header.addProperty("session", session);
        header.addProperty("username", "kernel");
        header.addProperty("date", Instant.now().truncatedTo(ChronoUnit.MICROS).toString());
        header.addProperty("msg_type", message.type());
        header.addProperty("version", PROTOCOL);
        List<byte[]> parts = List.of(bytes(header), bytes(message.parent()), bytes(message.metadata()),
                bytes(message.content()));
        List<byte[]> frames = new ArrayList<>();
        if (message.channel() == Channel.IOPUB) {
            frames.addAll(message.identities().isEmpty()
                    ? List.of((topic + message.type()).getBytes(UTF_8))
                    : message.identities());
        } else {
            frames.addAll(message.identities());
        }
        frames.add(DELIMITER);
        frames.add(signed ? sign(parts) : new byte[0]);
        frames.addAll(parts);
        frames.addAll(message.buffers());
        return frames;
    }

    private byte[] sign(List<byte[]> parts) {
        return signer.sign(parts);
    }

    private static byte[] bytes(JsonObject json) {
        return GSON.toJson(json).getBytes(UTF_8);
    }

    private static JsonObject object(byte[] frame, String what) throws BadMessageException {
        try {
            JsonReader reader = new JsonReader(new StringReader(new String(frame, UTF_8)));
            reader.setStrictness(Strictness.STRICT);
            JsonElement element = JsonParser.parseReader(reader);
            if (element.isJsonObject()) {
                return element.getAsJsonObject();
            }
        } catch (JsonParseException e) {
            throw new BadMessageException(what + " is not JSON");
        }
        throw new BadMessageException(what + " is not a JSON object");
    }
}
