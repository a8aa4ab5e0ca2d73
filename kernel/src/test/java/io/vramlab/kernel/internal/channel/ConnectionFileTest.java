package io.vramlab.kernel.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.spencerpark.jupyter.kernel.KernelConnectionProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionFileTest {

    private static final String KEY = "the-key-of-this-connection";

    @TempDir
    private Path folder;

    private KernelConnectionProperties read(String text) throws IOException {
        return ConnectionFile.read(Files.writeString(folder.resolve("connection.json"), text));
    }

    @Test
    void addressesAndKeyAreRead() throws IOException {
        KernelConnectionProperties read = read("{\"ip\":\"127.0.0.1\",\"transport\":\"tcp\",\"shell_port\":7,"
                + "\"iopub_port\":8,\"key\":\"" + KEY + "\",\"something_new\":[1]}");
        assertEquals(KEY, read.getKey());
        assertEquals("tcp://127.0.0.1:7", ConnectionFile.address(read, read.getShellPort()));
        assertEquals("hmac-sha256", read.getSignatureScheme());
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = ';', value = {"{\"key\":\"KEY\",\"shell_port\":; not a JSON object",
            "\"KEY\"; not a JSON object", "{\"key\":\"KEY\"}; names no ip",
            "{\"ip\":\"::1\",\"shell_port\":\"KEY\"}; shell_port is no number",
            "{\"ip\":\"::1\",\"shell_port\":{\"key\":\"KEY\"}}; shell_port is no number",
            "{\"ip\":\"::1\",\"shell_port\":[1,2],\"key\":\"KEY\"}; shell_port is no number",
            "{\"ip\":\"::1\",\"key\":[\"KEY\",1]}; key is no text",
            "{\"ip\":\"::1\",\"shell_port\":1,\"key\":\"KEY\",\"transport\":\"ipc\"}; asks for transport ipc"})
    void aFileThatIsNoneIsRefusedWithoutAWordOfTheKey(String text, String told) {
        String message = assertThrows(IOException.class, () -> read(text.replace("KEY", KEY))).getMessage();
        assertTrue(message.contains(told), message);
        assertFalse(message.contains(KEY), message);
    }
}
