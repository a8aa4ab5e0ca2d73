package io.vramlab.kernel.channel;

import com.google.gson.JsonParseException;
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
            properties = KernelConnectionProperties.parse(Files.readString(file));
        } catch (JsonParseException e) {
            throw new IOException("%s is not a Jupyter connection file: it is not JSON".formatted(file));
        }
        if (properties == null || properties.getIp() == null || properties.getShellPort() == 0) {
            throw new IOException("%s is not a Jupyter connection file: it names no ip and shell_port".formatted(file));
        }
        if (properties.getTransport() != null && !"tcp".equals(properties.getTransport())) {
            throw new IOException(("%s asks for transport %s; this kernel speaks tcp only: set KernelManager.transport"
                    + " to tcp").formatted(file, properties.getTransport()));
        }
        return properties;
    }

    /** The address of a port as ZeroMQ writes it. */
    static String address(KernelConnectionProperties properties, int port) {
        return "tcp://" + properties.getIp() + ":" + port;
    }
}
