package io.vramlab.kernel.internal.channel;

import com.google.gson.JsonObject;
import java.util.List;

/**
 * A message to send.
 *
 * @param channel
 *            where it goes
 * @param identities
 *            the receiver's routing frames; ignored on iopub, where the topic stands
 * @param type
 *            its {@code msg_type}
 * @param parent
 *            the header of the request that it belongs to; empty for none
 * @param content
 *            its content
 * @param metadata
 *            its metadata
 * @param buffers
 *            raw frames behind the content
 */
public record Outgoing(Channel channel, List<byte[]> identities, String type, JsonObject parent, JsonObject content,
        JsonObject metadata, List<byte[]> buffers) {

    /** One for every frontend. */
    public static Outgoing published(String type, JsonObject parent, JsonObject content) {
        return new Outgoing(Channel.IOPUB, List.of(), type, parent, content, new JsonObject(), List.of());
    }

    /** The answer to a request, on the channel and to the sender that it came from. */
    public static Outgoing reply(Incoming request, String type, JsonObject content) {
        return new Outgoing(request.channel(), request.identities(), type, request.header(), content, new JsonObject(),
                List.of());
    }
}
