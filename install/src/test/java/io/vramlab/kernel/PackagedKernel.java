package io.vramlab.kernel;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A kernel in a process of its own, and the kernel's tests' client, which asks what frontends ask while one types. */
public final class PackagedKernel implements AutoCloseable {

    private final Process process;
    private final TestClient client;

    /**
     * Starts it.
     *
     * @param command
     *            the command line, to which the connection file is added
     * @param folder
     *            its working directory, in which it leaves a log
     */
    public PackagedKernel(List<String> command, Path folder) throws IOException {
        JsonObject connection = KernelUnderTest.connection();
        List<String> words = new ArrayList<>(command);
        words.add(Files.writeString(folder.resolve("connection.json"), connection.toString()).toString());
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().put("VRAMLAB_HISTORY", "off");
        process = builder.start();
        client = TestClient.ofStarted(connection, TestClient.PATIENCE_MILLIS);
    }

    /** Runs a cell that must run to its end. */
    public void ok(String code) {
        TestClient.Answer answer = client.execute(code);
        if (!answer.status().equals("ok")) {
            throw new AssertionError(code + "\n" + answer.traceback());
        }
    }

    /** What inspection says with the cursor where the bar stands; empty when nothing was found. */
    public String inspected(String marked) {
        JsonObject data = ask("inspect_request", marked).getAsJsonObject("data");
        return data.has("text/plain") ? data.get("text/plain").getAsString() : "";
    }

    /** What {@code code?} shows in the pager. */
    public String paged(String code) {
        return client.execute(code).reply().getAsJsonArray("payload").get(0).getAsJsonObject().getAsJsonObject("data")
                .get("text/plain").getAsString();
    }

    /** The texts that completion leaves in place of the cell, cursor where the bar stands. */
    public List<String> completed(String marked) {
        JsonObject reply = ask("complete_request", marked);
        String code = marked.replace("|", "");
        int start = code.offsetByCodePoints(0, reply.get("cursor_start").getAsInt());
        int end = code.offsetByCodePoints(0, reply.get("cursor_end").getAsInt());
        JsonArray matches = reply.getAsJsonArray("matches");
        List<String> texts = new ArrayList<>();
        matches.forEach(each -> texts.add(code.substring(0, start) + each.getAsString() + code.substring(end)));
        return texts;
    }

    private JsonObject ask(String type, String marked) {
        JsonObject content = new JsonObject();
        String code = marked.replace("|", "");
        content.addProperty("code", code);
        content.addProperty("cursor_pos", code.codePointCount(0, marked.indexOf('|')));
        return client.ask(client.shell, type, content).reply();
    }

    @Override
    public void close() throws InterruptedException {
        client.send(client.control, "shutdown_request", TestClient.json("{\"restart\":false}"));
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        client.close();
    }
}
