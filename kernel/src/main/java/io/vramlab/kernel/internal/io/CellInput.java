package io.vramlab.kernel.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.cell.CellRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;

/** Asks the user through the frontend, and {@code System.in} on top of that. */
public final class CellInput {

    private final BiConsumer<CellRun, JsonObject> asker;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Object oneAtATime = new Object();

    /**
     * An input.
     *
     * @param asker
     *            sends the content of an {@code input_request} to the frontend that runs the cell
     */
    public CellInput(BiConsumer<CellRun, JsonObject> asker) {
        this.asker = asker;
    }

    /** Takes the content of an {@code input_reply}. */
    public void answered(JsonObject content) {
        JsonElement value = content.get("value");
        answers.add(value != null && value.isJsonPrimitive() ? value.getAsString() : "");
    }

    /**
     * Asks for a line.
     *
     * @param prompt
     *            what the user sees
     * @param password
     *            whether the answer is hidden
     * @throws NoInputException
     *             if this frontend cannot ask its user
     * @throws InterruptedIOException
     *             if the cell is interrupted meanwhile
     */
    public String ask(String prompt, boolean password) throws InterruptedIOException {
        CellRun run = CellRun.current();
        if (run == null || !run.stdinAllowed() || run.abandoned()) {
            throw new NoInputException();
        }
        synchronized (oneAtATime) {
            // an answer to a question that was interrupted is not the answer to this one
            answers.clear();
            JsonObject content = new JsonObject();
            content.addProperty("prompt", prompt);
            content.addProperty("password", password);
            asker.accept(run, content);
            try {
                return answers.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for input");
            }
        }
    }

    /** A stream for {@code System.in}: asks for a line whenever it has none left. */
    public InputStream stream() {
        return new Lines();
    }

    private final class Lines extends InputStream {

        private byte[] line = {};
        private int next;

        @Override
        public synchronized int read() throws IOException {
            fill();
            return line[next++] & 0xff;
        }

        @Override
        public synchronized int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            fill();
            int count = Math.min(length, line.length - next);
            System.arraycopy(line, next, target, offset, count);
            next += count;
            return count;
        }

        @Override
        public synchronized int available() {
            return line.length - next;
        }

        private void fill() throws IOException {
            if (next == line.length) {
                line = (ask("", false) + "\n").getBytes(UTF_8);
                next = 0;
            }
        }
    }
}
