package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.TestClient.Answer;
import io.vramlab.kernel.TestClient.Message;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What cells print. */
class OutputTest {

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

    @Test
    void aHundredThousandLinesArriveInOrderInFewMessages() {
        Answer answer = client.execute("for (int i = 0; i < 100_000; i++) System.out.println(\"line \" + i);");
        String expected = IntStream.range(0, 100_000).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
        assertEquals(expected, answer.stdout());
        assertTrue(answer.published("stream").size() < 1000);
    }

    @Test
    void textIsShownWhileTheCellRuns() {
        String id = client.sendCell("System.out.print(\"first\"); System.in.read();".replace("System.in.read()",
                "new java.util.concurrent.CountDownLatch(1).await()"));
        client.await(message -> message.parentId().equals(id) && message.type().equals("stream"));
        client.send(client.control, "interrupt_request", TestClient.json("{}"));
        assertEquals("error", client.answer(id).status());
    }

    @Test
    void standardOutputErrorAndValueKeepTheirOrder() {
        Answer answer = client.execute("System.out.print(1); System.err.print(2); System.out.print(3); 4");
        List<String> shown = answer.messages().stream().filter(each -> each.channel().equals("iopub"))
                .map(Message::type).filter(type -> type.equals("stream") || type.equals("execute_result")).toList();
        assertEquals(List.of("stream", "stream", "stream", "execute_result"), shown);
        assertEquals("13", answer.stdout());
    }

    @Test
    void everyAlphabetSurvives() {
        assertEquals("žluťoučký 😀 你好\n", client.execute("System.out.println(\"žluťoučký 😀 你好\");").stdout());
    }

    @Test
    void outputOfAThreadThatOutlivesItsCellGoesToThatCell() {
        client.execute("var go = new java.util.concurrent.CountDownLatch(1);");
        String first = client.sendCell("new Thread(() -> { try { go.await(); } catch (InterruptedException e) { } "
                + "System.out.println(\"late\"); }).start();");
        client.answer(first);
        client.execute("go.countDown();");
        Message late = client.await(message -> message.type().equals("stream")
                && message.content().get("text").getAsString().contains("late"));
        assertEquals(first, late.parentId());
    }

    @Test
    void aCellThatPrintsWithoutEndIsCutOffAndSaysSo() {
        // 12 Mi characters against the limit of 8 Mi
        Answer answer = client
                .execute(
                        "var line = \"x\".repeat((1 << 20) - 1); for (int i = 0; i < 12; i++) System.out.println(line);");
        assertEquals("ok", answer.status());
        assertTrue(answer.stdout().length() < (8 << 20) + 1000);
        assertTrue(answer.stdout().contains("[output stopped: In ["));
        assertEquals("fresh\n", client.execute("System.out.println(\"fresh\");").stdout());
    }
}
