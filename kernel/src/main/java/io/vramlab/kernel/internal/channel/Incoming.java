package io.vramlab.kernel.internal.channel;

import com.google.gson.JsonObject;
import java.util.List;

/**
 * A message whose signature and shape were checked.
 *
 * @param channel
 *            where it came in
 * @param identities
 *            the sender's routing frames, to be sent back first
 * @param header
 *            its header; has at least {@code msg_type}
 * @param content
 *            its content
 * @param metadata
 *            its metadata
 * @param buffers
 *            raw frames behind the content
 */
public record Incoming(Channel channel, List<byte[]> identities, JsonObject header, JsonObject content,
        JsonObject metadata, List<byte[]> buffers) {

    /** The message type, such as {@code execute_request}. */
    public String type() {
        return header.get("msg_type").getAsString();
    }
}
