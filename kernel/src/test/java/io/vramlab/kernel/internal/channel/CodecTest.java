package io.vramlab.kernel.internal.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages there and back, and a great many that are not messages. {@code -Dvramlab.fuzz=1000000} makes it a million. */
class CodecTest {

    private static final int FUZZED = Integer.getInteger("vramlab.fuzz", 20_000);
    private static final String[] PIECES = {"{", "}", "[", "]", "\"", ":", ",", "null", "true", "1e999", "-0",
            "\\u0000",
            "\"msg_type\"", "\"execute_request\"", "{}", "\ud83d", "NaN", "'", "//", "\n", "0x1"};

    private static Signer signer() throws Exception {
        return new Signer("hmac-sha256", "key");
    }

    private static Outgoing message() {
        JsonObject content = new JsonObject();
        content.addProperty("code", "\"ž😀\" + 1");
        return new Outgoing(Channel.SHELL, List.of("me".getBytes(UTF_8)), "execute_request", new JsonObject(), content,
                new JsonObject(), List.of(new byte[]{0, -1}));
    }

    @Test
    void aMessageComesBackAsItWas() throws Exception {
        Incoming back = new Codec(signer(), true).decode(Channel.SHELL, new Codec(signer(), true).encode(message()));
        assertEquals("execute_request", back.type());
        assertEquals(message().content(), back.content());
        assertArrayEquals("me".getBytes(UTF_8), back.identities().getFirst());
        assertArrayEquals(new byte[]{0, -1}, back.buffers().getFirst());
    }

    @Test
    void anotherKeyIsRefused() throws Exception {
        List<byte[]> frames = new Codec(new Signer("hmac-sha256", "other"), true).encode(message());
        Codec codec = new Codec(signer(), true);
        assertEquals("wrong signature",
                assertThrows(BadMessageException.class, () -> codec.decode(Channel.SHELL, frames)).getMessage());
    }

    @Test
    void whateverComesIsAMessageOrRefused() throws Exception {
        Codec codec = new Codec(null, false);
        Random random = new Random(11);
        int read = 0;
        int refused = 0;
        for (int i = 0; i < FUZZED; i++) {
            List<byte[]> frames = new ArrayList<>(codec.encode(message()));
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                change(frames, random);
            }
            try {
                assertTrue(codec.decode(Channel.SHELL, frames).type() != null);
                read++;
            } catch (BadMessageException e) {
                assertTrue(e.getMessage().length() < 100, e.getMessage());
                refused++;
            }
        }
        // both must occur, or the changes are too wild or too tame to show anything
        assertTrue(read > FUZZED / 100 && refused > FUZZED / 10, read + " read, " + refused + " refused");
    }

    private static void change(List<byte[]> frames, Random random) {
        int victim = frames.isEmpty() ? 0 : random.nextInt(frames.size());
        switch (random.nextInt(6)) {
            case 0 -> frames.add(victim, new byte[random.nextInt(20)]);
            case 1 -> {
                if (!frames.isEmpty()) {
                    frames.remove(victim);
                }
            }
            case 2 -> Collections.shuffle(frames, random);
            case 3 -> {
                if (!frames.isEmpty()) {
                    frames.set(victim, text(random).getBytes(UTF_8));
                }
            }
            default -> {
                if (!frames.isEmpty() && frames.get(victim).length > 0) {
                    byte[] bytes = frames.get(victim).clone();
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                    frames.set(victim, random.nextBoolean()
                            ? bytes
                            : Arrays.copyOf(bytes, random.nextInt(bytes.length)));
                }
            }
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }
}
