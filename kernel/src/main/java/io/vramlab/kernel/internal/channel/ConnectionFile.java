package io.vramlab.kernel.internal.channel;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.github.spencerpark.jupyter.kernel.KernelConnectionProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the file in which a frontend says where the kernel shall listen and with which key messages are signed. */
public final class ConnectionFile {

    private ConnectionFile() {
    }

    /**
     * The addresses and the key in {@code file}.
     *
     * @throws IOException
     *             if it cannot be read, is no connection file, or asks for a transport other than tcp
     */
    public static KernelConnectionProperties read(Path file) throws IOException {
        KernelConnectionProperties properties;
        try {
            properties = properties(JsonParser.parseString(Files.readString(file)).getAsJsonObject());
        } catch (JsonParseException | IllegalStateException e) {
            throw new IOException("%s is not a Jupyter connection file: it is not a JSON object".formatted(file));
        } catch (IllegalArgumentException e) {
            throw new IOException("%s is not a Jupyter connection file: %s".formatted(file, e.getMessage()));
        }
        if (properties.getIp() == null || properties.getShellPort() == 0) {
            throw new IOException("%s is not a Jupyter connection file: it names no ip and shell_port".formatted(file));
        }
        if (properties.getTransport() != null && !"tcp".equals(properties.getTransport())) {
            throw new IOException(("%s asks for transport %s; this kernel speaks tcp only: set KernelManager.transport"
                    + " to tcp").formatted(file, properties.getTransport()));
        }
        return properties;
    }

    /** Read name by name: letting Gson find the fields by reflection costs every start 13 ms of CPU time. */
    private static KernelConnectionProperties properties(JsonObject json) {
        return new KernelConnectionProperties(text(json, "ip", null), port(json, "control_port"),
                port(json, "shell_port"), port(json, "stdin_port"), port(json, "hb_port"), port(json, "iopub_port"),
                text(json, "transport", null), text(json, "signature_scheme", "hmac-sha256"), text(json, "key", null));
    }

    private static String text(JsonObject json, String name, String absent) {
        JsonElement value = json.get(name);
        if (value == null || value.isJsonNull()) {
            return absent;
        }
        if (!value.isJsonPrimitive()) {
            throw new IllegalArgumentException(name + " is no text");
        }
        return value.getAsString();
    }

    private static int port(JsonObject json, String name) {
        JsonElement value = json.get(name);
        if (value == null || value.isJsonNull()) {
            return 0;
        }
        // the value stays untold: where fields are mixed up it may be the key
        try {
            return value.getAsInt();
        } catch (NumberFormatException | UnsupportedOperationException | IllegalStateException e) {
            throw new IllegalArgumentException(name + " is no number");
        }
    }

    /** The address of a port as ZeroMQ writes it. */
    static String address(KernelConnectionProperties properties, int port) {
        return "tcp://" + properties.getIp() + ":" + port;
    }
}
