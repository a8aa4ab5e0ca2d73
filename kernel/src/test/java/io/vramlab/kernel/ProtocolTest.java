package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import io.vramlab.kernel.TestClient.Message;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** The rows of the protocol, one by one. */
class ProtocolTest {

    private static KernelUnderTest kernel;
    private static TestClient client;

    @BeforeAll
    static void start() throws Exception {
        kernel = new KernelUnderTest();
        client = kernel.client;
    }

    @AfterAll
    static void stop() throws Exception {
        kernel.close();
    }

    private static JsonObject cell(String code, String field, Object value) {
        JsonObject content = TestClient.executeContent(code);
        switch (value) {
            case Boolean flag -> content.addProperty(field, flag);
            case JsonObject object -> content.add(field, object);
            default -> throw new IllegalArgumentException();
        }
        return content;
    }

    @Test
    void kernelInfoIsAnsweredOnBothChannels() {
        for (ZMQ.Socket socket : List.of(client.shell, client.control)) {
            JsonObject info = client.ask(socket, "kernel_info_request", new JsonObject()).reply();
            assertEquals("ok", info.get("status").getAsString());
            assertEquals("5.5", info.get("protocol_version").getAsString());
            assertEquals("java", info.getAsJsonObject("language_info").get("name").getAsString());
        }
    }

    @Test
    void statusSurroundsEveryRequestEvenAnUnknownOne() {
        String id = client.send(client.shell, "no_such_request", new JsonObject());
        assertEquals("busy", client.await(each -> each.parentId().equals(id)).state());
        assertEquals("idle", client.await(each -> each.parentId().equals(id)).state());
    }

    @Test
    void headersHaveTheKernelsOwnSessionAFullDateAndATopic() {
        Answer answer = client.ask("kernel_info_request", "{}");
        Message status = answer.published("status").getFirst();
        assertTrue(status.topic().matches("kernel\\.[0-9a-f-]{36}\\.status"), status.topic());
        assertTrue(status.header().get("date").getAsString().matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*Z"));
        assertNotEquals(client.header("x").get("session"), status.header().get("session"));
    }

    @Test
    void aSilentCellPublishesOnlyItsStatusAndIsNotCounted() {
        int before = client.execute("1").reply().get("execution_count").getAsInt();
        Answer answer = client.execute(cell("System.out.println(5); 6", "silent", true));
        assertEquals("ok", answer.status());
        assertTrue(answer.messages().stream().filter(each -> each.channel().equals("iopub"))
                .allMatch(each -> each.type().equals("status")));
        assertEquals(before + 1, client.execute("1").reply().get("execution_count").getAsInt());
    }

    @Test
    void aCellThatIsNotStoredIsShownButNotCounted() {
        int before = client.execute("1").reply().get("execution_count").getAsInt();
        assertEquals("7", client.execute(cell("3 + 4", "store_history", false)).value());
        assertEquals(before + 1, client.execute("1").reply().get("execution_count").getAsInt());
    }

    @Test
    void anEmptyCellIsFineAndNotCounted() {
        int before = client.execute("1").reply().get("execution_count").getAsInt();
        assertEquals("ok", client.execute("  \n ").status());
        assertEquals(before + 1, client.execute("1").reply().get("execution_count").getAsInt());
    }

    @Test
    void userExpressionsAreEvaluatedAndTheirErrorsTold() {
        JsonObject answers = client
                .execute(cell("int base = 20;", "user_expressions",
                        TestClient.json("{\"x\":\"base+1\",\"bad\":\"@@@\"}")))
                .reply().getAsJsonObject("user_expressions");
        assertEquals("21", answers.getAsJsonObject("x").getAsJsonObject("data").get("text/plain").getAsString());
        assertEquals("error", answers.getAsJsonObject("bad").get("status").getAsString());
        // the expression's own line, not the cell's
        assertTrue(answers.getAsJsonObject("bad").get("traceback").toString().contains("| @@@"));
    }

    @Test
    void cellsQueuedBehindAnErrorAreAborted() throws Exception {
        String failing = client.sendCell(KernelUnderTest.untilOpened("throw new IllegalStateException();"));
        String queued = kernel.queue("System.out.println(\"ran\");");
        KernelUnderTest.open();
        assertEquals("error", client.answer(failing).status());
        Answer second = client.answer(queued);
        assertEquals("aborted", second.status());
        assertEquals("", second.stdout());
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void withoutStopOnErrorQueuedCellsRun() throws Exception {
        String failing = client.send(client.shell, "execute_request",
                cell(KernelUnderTest.untilOpened("throw new IllegalStateException();"), "stop_on_error", false));
        String queued = kernel.queue("5");
        KernelUnderTest.open();
        assertEquals("error", client.answer(failing).status());
        assertEquals("5", client.answer(queued).value());
    }

    @Test
    void theControlChannelIsAnsweredWhileACellRuns() {
        String cell = client.sendCell("Thread.sleep(60_000);");
        client.await(each -> each.parentId().equals(cell) && each.type().equals("execute_input"));
        assertEquals("ok", client.ask(client.control, "kernel_info_request", new JsonObject()).status());
        assertEquals("ok", client.ask(client.control, "interrupt_request", new JsonObject()).status());
        assertEquals("Interrupted", client.answer(cell).reply().get("ename").getAsString());
    }

    @Test
    void theHeartbeatEchoes() {
        try (ZContext context = new ZContext()) {
            ZMQ.Socket heartbeat = context.createSocket(SocketType.REQ);
            heartbeat.setReceiveTimeOut(TestClient.PATIENCE_MILLIS);
            heartbeat.setHandshakeIvl(TestClient.HANDSHAKE_MILLIS);
            heartbeat.connect("tcp://127.0.0.1:" + kernel.connection.get("hb_port").getAsInt());
            for (int i = 0; i < 3; i++) {
                heartbeat.send("ping" + i);
                assertEquals("ping" + i, heartbeat.recvStr());
            }
        }
    }

    @Test
    void aCellAsksItsUserAndGetsTheAnswer() {
        String id = client.send(client.shell, "execute_request",
                cell("System.out.print(\"got \" + password(\"Word: \") + new Scanner(System.in).nextLine());",
                        "allow_stdin", true));
        for (String answer : List.of("secret", " line")) {
            JsonObject question = client.await(each -> each.channel().equals("stdin")).content();
            assertEquals(answer.equals("secret"), question.get("password").getAsBoolean());
            JsonObject content = new JsonObject();
            content.addProperty("value", answer);
            client.send(client.stdin, "input_reply", content);
        }
        assertEquals("got secret line", client.answer(id).stdout());
    }

    @Test
    void inputWithoutSomeoneToAskIsAnErrorAndNotAHang() {
        assertTrue(client.execute("new Scanner(System.in).nextLine()").traceback().contains("allow_stdin is false"));
        assertTrue(client.execute("input(\"Name? \")").traceback().contains("allow_stdin is false"));
    }

    @Test
    void systemExitAsksAndNoMeansNo() {
        String id = client.send(client.shell, "execute_request", cell("System.exit(0);", "allow_stdin", true));
        assertTrue(client.await(each -> each.channel().equals("stdin")).content().get("prompt").getAsString()
                .contains("End it?"));
        client.send(client.stdin, "input_reply", TestClient.json("{\"value\":\"n\"}"));
        assertEquals("error", client.answer(id).status());
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void whatIsOnDisplayCanBeReplaced() {
        Answer answer = client.execute("var shown = display(\"before\"); shown.update(\"after\"); clearOutput(true);");
        JsonObject first = answer.published("display_data").getFirst().content();
        JsonObject update = answer.published("update_display_data").getFirst().content();
        assertEquals(first.getAsJsonObject("transient"), update.getAsJsonObject("transient"));
        assertEquals("after", update.getAsJsonObject("data").get("text/plain").getAsString());
        assertTrue(answer.published("clear_output").getFirst().content().get("wait").getAsBoolean());
    }

    @Test
    void aLaterCellMayReplaceWhatIsOnDisplayAndDoesItAsItsOwn() {
        Answer first = client.execute("var kept = display(\"before\");");
        Answer later = client.execute("kept.update(\"after\");"); // clients pass over what has another parent
        JsonObject update = later.published("update_display_data").getFirst().content();
        assertEquals(first.published("display_data").getFirst().content().getAsJsonObject("transient"),
                update.getAsJsonObject("transient"));
    }

    @Test
    void aSecondFrontendSeesTheFirstOnesCells() {
        try (TestClient other = client.another()) {
            client.execute("40 + 2");
            Message result = other.await(each -> each.type().equals("execute_result"));
            assertEquals("42", result.content().getAsJsonObject("data").get("text/plain").getAsString());
            assertNull(other.execute("int other = 1;").value());
        }
    }
}
