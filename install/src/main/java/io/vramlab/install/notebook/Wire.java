package io.vramlab.install.notebook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.zeromq.ZMQ;
import org.zeromq.ZMsg;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/** Jupyter's messages as frames on a socket, from a client's side. */
final class Wire {

    private static final String DELIMITER = "<IDS|MSG>";
    private static final String VERSION = "5.4";

    private final String session = UUID.randomUUID().toString();
    private final Mac signer;

    Wire(String key) {
        try {
            signer = Mac.getInstance("HmacSHA256");
            signer.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * A message that came.
     *
     * @param type its type
     * @param parent the id of the message that it answers; empty when there is none
     * @param content its content
     */
    record Message(String type, String parent, JsonObject content) {
    }

    /** Sends a message and gives its id. */
    String send(ZMQ.Socket socket, String type, JsonObject content) {
        JsonObject header = new JsonObject();
        String id = UUID.randomUUID().toString();
        header.addProperty("msg_id", id);
        header.addProperty("session", session);
        header.addProperty("username", "vramlab");
        header.addProperty("date", Instant.now().toString());
        header.addProperty("msg_type", type);
        header.addProperty("version", VERSION);
        List<String> parts = List.of(header.toString(), "{}", "{}", content.toString());
        parts.forEach(part -> signer.update(part.getBytes(StandardCharsets.UTF_8)));
        ZMsg message = ZMsg.newStringMsg(DELIMITER, HexFormat.of().formatHex(signer.doFinal()));
        parts.forEach(message::addString);
        message.send(socket);
        return id;
    }

    /** Takes the next message from a socket that has one. */
    Message receive(ZMQ.Socket socket) {
        ZMsg frames = ZMsg.recvMsg(socket);
        while (!DELIMITER.equals(text(frames))) {
            if (frames.isEmpty()) {
                throw new NotebookException("The kernel sent something that is no Jupyter message.");
            }
        }
        text(frames); // the signature: the kernel is this process's own child
        JsonObject header = json(frames);
        JsonObject parent = json(frames);
        text(frames); // metadata
        return new Message(header.get("msg_type").getAsString(),
                parent.has("msg_id") ? parent.get("msg_id").getAsString() : "", json(frames));
    }

    private static String text(ZMsg frames) {
        return frames.isEmpty() ? "" : frames.pop().getString(StandardCharsets.UTF_8);
    }

    private static JsonObject json(ZMsg frames) {
        return JsonParser.parseString(text(frames)).getAsJsonObject();
    }
}
