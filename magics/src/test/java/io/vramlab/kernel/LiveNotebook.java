package io.vramlab.kernel;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** A notebook on a real kernel in this process: cells go through its sockets. */
public final class LiveNotebook implements AutoCloseable {

    /**
     * What a cell brought.
     *
     * @param plain
     *            the plain texts of what it displayed, its value last
     * @param html
     *            the HTML of the same
     * @param out
     *            its standard output
     * @param error
     *            its traceback, null when it ran to its end
     */
    public record Result(List<String> plain, List<String> html, String out, String error) {

        /** The plain text of its value or last display. */
        public String last() {
            return plain.isEmpty() ? "" : plain.get(plain.size() - 1);
        }
    }

    private final KernelUnderTest kernel;

    /** Starts the kernel. */
    public LiveNotebook() throws Exception {
        kernel = new KernelUnderTest();
    }

    /** Waits so long for each answer from now on: for long runs on busy machines. */
    public void patience(int minutes) {
        kernel.client.patienceMillis = minutes * 60_000;
    }

    /** Runs a cell that may fail. */
    public Result run(String code) {
        return result(kernel.client.execute(code));
    }

    /** Runs a cell and interrupts it when it has printed something. */
    public Result interruptedAfterItsFirstWord(String code) {
        String id = kernel.client.sendCell(code);
        kernel.client.await(each -> each.parentId().equals(id) && each.type().equals("stream"));
        kernel.client.send(kernel.client.control, "interrupt_request", new JsonObject());
        return result(kernel.client.answer(id));
    }

    private static Result result(TestClient.Answer answer) {
        List<String> plain = new ArrayList<>();
        List<String> html = new ArrayList<>();
        for (TestClient.Message message : answer.messages()) {
            boolean shown = message.type().equals("execute_result") || message.type().equals("display_data");
            if (shown && message.channel().equals("iopub")) {
                JsonObject data = message.content().getAsJsonObject("data");
                plain.add(data.get("text/plain").getAsString());
                if (data.has("text/html")) {
                    html.add(data.get("text/html").getAsString());
                }
            }
        }
        return new Result(plain, html, answer.stdout(), answer.status().equals("ok") ? null : answer.traceback());
    }

    /** Runs a cell that must run to its end. */
    public Result ok(String code) {
        Result result = run(code);
        if (result.error() != null) {
            throw new AssertionError(code + "\n" + result.error());
        }
        return result;
    }

    @Override
    public void close() throws Exception {
        kernel.close();
    }
}
