package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;

/** A product that takes a minute, in a real kernel. */
class InterruptedProductTest {

    @Test
    void aLargeProductStopsAndTheNextCellIsRight() throws Exception {
        try (KernelUnderTest kernel = new KernelUnderTest()) {
            TestClient client = kernel.client;
            runs(client, "%device 4GiB");
            // 12,000 cubed takes a minute or more: whoever waits for the end is left behind after two seconds, and told so
            runs(client, "var a = Tensor.zeros(12_000, 12_000);\nlong held = Cuda.memoryAllocated();");
            String id = client.sendCell("System.out.println(\"begun\");\nvar product = a.matmul(a);");
            client.await(each -> each.parentId().equals(id) && each.type().equals("stream"));
            client.send(client.control, "interrupt_request", new JsonObject());
            TestClient.Answer answer = client.answer(id);
            assertEquals("Interrupted", answer.reply().get("ename").getAsString(), answer.reply().toString());
            assertEquals("", answer.text("stderr"));
            assertEquals("true", client.execute("Cuda.memoryAllocated() == held").value());
            assertEquals("8",
                    client.execute(
                            "(int) Tensor.ones(2, 8).matmul(Tensor.ones(8, 2)).slice(0, 0, 1).slice(1, 0, 1).item()")
                            .value());
        }
    }

    private static void runs(TestClient client, String cell) {
        TestClient.Answer answer = client.execute(cell);
        assertEquals("ok", answer.status(), answer.reply()::toString);
    }
}
