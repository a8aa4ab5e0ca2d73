package io.vramlab.kernel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that no decent frontend sends; after each of them the next good one is answered. */
class HostileMessagesTest {

    private static final class Log extends Handler {

        private final List<String> lines = new ArrayList<>();

        @Override
        public synchronized void publish(LogRecord record) {
            lines.add(new SimpleFormatter().formatMessage(record));
        }

        synchronized List<String> lines() {
            return List.copyOf(lines);
        }

        @Override
        public void flush() {
            // nothing is kept back
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    private static final Logger ROOT = Logger.getLogger("io.vramlab.kernel");

    private static KernelUnderTest kernel;
    private static TestClient client;
    private final Log log = new Log();

    @BeforeAll
    static void start() throws Exception {
        kernel = new KernelUnderTest();
        client = kernel.client;
        ROOT.setUseParentHandlers(false);
    }

    @AfterAll
    static void stop() throws Exception {
        ROOT.setUseParentHandlers(true);
        kernel.close();
    }

    @BeforeEach
    void listen() {
        for (Handler handler : ROOT.getHandlers()) {
            ROOT.removeHandler(handler);
        }
        ROOT.addHandler(log);
    }

    private void isDroppedInOneLine(String reason) {
        assertEquals("ok", client.ask("kernel_info_request", "{}").status());
        assertEquals("2", client.execute("1+1").value());
        List<String> lines = log.lines();
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(lines.getFirst().contains(reason), lines.toString());
        assertFalse(lines.getFirst().contains("\n"));
        assertFalse(lines.getFirst().contains(TestClient.KEY));
    }

    private static List<byte[]> good() {
        return TestClient.frames(client.header("kernel_info_request").toString(), "{}");
    }

    @Test
    void aWrongSignatureIsDropped() {
        List<byte[]> frames = good();
        frames.set(1, "0".repeat(64).getBytes(US_ASCII));
        TestClient.sendFrames(client.shell, frames);
        isDroppedInOneLine("wrong signature");
    }

    @Test
    void anEmptySignatureIsDropped() {
        List<byte[]> frames = good();
        frames.set(1, new byte[0]);
        TestClient.sendFrames(client.control, frames);
        isDroppedInOneLine("wrong signature");
    }

    @Test
    void brokenJsonIsDropped() {
        TestClient.sendFrames(client.shell, TestClient.frames("{not json", "{}"));
        isDroppedInOneLine("header is not JSON");
    }

    @Test
    void aHeaderThatIsNoObjectIsDropped() {
        TestClient.sendFrames(client.shell, TestClient.frames("[1, 2]", "{}"));
        isDroppedInOneLine("header is not a JSON object");
    }

    @Test
    void aHeaderWithoutATypeIsDropped() {
        TestClient.sendFrames(client.shell, TestClient.frames("{\"msg_id\":\"1\"}", "{}"));
        isDroppedInOneLine("without msg_type");
    }

    @Test
    void aMessageWithoutADelimiterIsDropped() {
        TestClient.sendFrames(client.shell, List.of("hello".getBytes(UTF_8)));
        isDroppedInOneLine("frames without a whole message");
    }

    @Test
    void jsonNestedTooDeepIsDropped() {
        TestClient.sendFrames(client.shell, TestClient.frames(client.header("execute_request").toString(),
                "{\"code\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}"));
        isDroppedInOneLine("content is not JSON");
    }

    @Test
    void aMessageSentTwiceRunsOnce() {
        client.execute("int runs = 0;");
        JsonObject header = client.header("execute_request");
        List<byte[]> frames = TestClient.frames(header.toString(),
                TestClient.executeContent("runs++;").toString());
        TestClient.sendFrames(client.shell, frames);
        TestClient.sendFrames(client.shell, frames);
        client.answer(header.get("msg_id").getAsString());
        assertEquals("1", client.execute("runs").value());
        assertTrue(log.lines().getFirst().contains("sent before"));
    }

    @Test
    void aHeaderWithoutUserDateSessionAndVersionIsAnswered() {
        String header = "{\"msg_id\":\"lonely\",\"msg_type\":\"kernel_info_request\"}";
        TestClient.sendFrames(client.shell, TestClient.frames(header, "{}"));
        assertEquals("ok", client.answer("lonely").status());
    }

    @Test
    void wrongTypesInARequestAreAnsweredWithWhatIsWrong() {
        for (String content : List.of("{}", "{\"code\":5}", "{\"code\":null}", "{\"code\":\"1\",\"silent\":\"no\"}",
                "{\"code\":\"1\",\"user_expressions\":7}")) {
            TestClient.Answer answer = client.ask("execute_request", content);
            assertEquals("error", answer.status());
            assertTrue(answer.reply().get("evalue").getAsString().contains("field"), content);
        }
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void aHundredMegabytesAreRunLikeAnyOtherCell() {
        String comment = "x".repeat(100 << 20);
        assertEquals("3", client.execute("1 + 2 /*" + comment.substring(0, 1 << 20) + "*/").value());
        client.send(client.shell, "no_such_request", TestClient.json("{\"fill\":\"" + comment + "\"}"));
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void aFewThousandMutatedMessagesLeaveTheKernelAsItWas() {
        Random random = new Random(7);
        int threads = Thread.activeCount();
        for (int i = 0; i < 5000; i++) {
            List<byte[]> frames = new ArrayList<>(good());
            int victim = random.nextInt(frames.size());
            switch (random.nextInt(4)) {
                case 0 -> frames.remove(victim);
                case 1 -> frames.add(victim, new byte[random.nextInt(50)]);
                case 2 -> frames.set(victim, mutated(frames.get(victim), random));
                default -> Collections.swap(frames, victim, random.nextInt(frames.size()));
            }
            TestClient.sendFrames(random.nextBoolean() ? client.shell : client.control, frames);
        }
        assertEquals("2", client.execute("1+1").value());
        assertEquals("ok", client.ask(client.control, "kernel_info_request", new JsonObject()).status());
        assertTrue(Thread.activeCount() <= threads + 2);
    }

    @Test
    void signedRequestsWithFieldsOfAnyTypeAreAllAnswered() {
        Random random = new Random(3);
        String[] values = {"null", "true", "-1", "1e308", "99999999999999999999", "\"\"", "\"text\"", "[]", "{}",
                "\"\\ud83d\"", "[{\"a\":[]}]"};
        String[] fields = {"code", "cursor_pos", "detail_level", "hist_access_type", "session", "start", "stop", "n",
                "pattern", "unique", "output", "target_name", "comm_id", "data", "silent", "store_history", "restart"};
        for (String type : List.of("complete_request", "inspect_request", "is_complete_request", "history_request",
                "comm_info_request", "kernel_info_request", "execute_request", "interrupt_request")) {
            for (int i = 0; i < 40; i++) {
                StringBuilder content = new StringBuilder("{\"silent\":true");
                for (int n = random.nextInt(4); n >= 0; n--) {
                    content.append(",\"").append(fields[random.nextInt(fields.length)]).append(n).append("\":")
                            .append(values[random.nextInt(values.length)]);
                    content.append(",\"").append(fields[random.nextInt(fields.length - 2)]).append("\":")
                            .append(values[random.nextInt(values.length)]);
                }
                JsonObject header = client.header(type);
                TestClient.sendFrames(client.shell, TestClient.frames(header.toString(), content + "}"));
                if (client.delivered(content + "}")) {
                    assertTrue(client.answer(header.get("msg_id").getAsString()).reply().has("status"), type);
                }
            }
        }
        assertEquals("2", client.execute("1+1").value());
    }

    private static byte[] mutated(byte[] frame, Random random) {
        byte[] copy = frame.clone();
        if (copy.length > 0) {
            copy[random.nextInt(copy.length)] ^= (byte) (1 + random.nextInt(255));
        }
        return copy;
    }
}
