package io.vramlab.install.browser;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Chromium without a window, through chromedriver, in the words of the WebDriver protocol. */
public final class Browser implements AutoCloseable {

    private static final Gson GSON = new Gson();
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process driver;
    private final Path profile;
    private final String session;

    /** Starts both. */
    public Browser() throws IOException {
        int port = freePort();
        profile = Files.createTempDirectory("vramlab-chromium-");
        driver = new ProcessBuilder("chromedriver", "--port=" + port).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        String root = "http://127.0.0.1:" + port + "/session";
        await("chromedriver", () -> answers("http://127.0.0.1:" + port + "/status"));
        JsonObject options = new JsonObject();
        options.add("args", GSON.toJsonTree(List.of("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
                "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--user-data-dir=" + profile)));
        JsonObject match = new JsonObject();
        match.addProperty("browserName", "chrome");
        match.add("goog:chromeOptions", options);
        JsonObject capabilities = new JsonObject();
        capabilities.add("alwaysMatch", match);
        JsonObject body = new JsonObject();
        body.add("capabilities", capabilities);
        session = root + "/" + send("POST", root, body).getAsJsonObject().get("sessionId").getAsString();
    }

    /** A port of this machine that nobody listens on. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Waits until something is so. */
    static void await(String what, BooleanSupplier ready) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!ready.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(what + " was not ready within " + PATIENCE.toSeconds() + " s");
            }
            try {
                Thread.sleep(250);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Whether a server answers there. */
    static boolean answers(String address) {
        try (InputStream in = URI.create(address).toURL().openStream()) {
            return in.read() >= 0;
        } catch (IOException notYet) {
            return false;
        }
    }

    private JsonElement send(String method, String address, JsonObject body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .method(method, body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(GSON.toJson(body)))
                .timeout(PATIENCE).build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(method + " " + address + ": " + answer.body());
            }
            return GSON.fromJson(answer.body(), JsonObject.class).get("value");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens a page. */
    public void open(String address) {
        JsonObject body = new JsonObject();
        body.addProperty("url", address);
        send("POST", session + "/url", body);
    }

    /** The window's size in pixels. */
    public void size(int width, int height) {
        JsonObject body = new JsonObject();
        body.addProperty("width", width);
        body.addProperty("height", height);
        send("POST", session + "/window/rect", body);
    }

    /** The value of a JavaScript function's body. */
    public JsonElement run(String script) {
        JsonObject body = new JsonObject();
        body.addProperty("script", script);
        body.add("args", new JsonArray());
        return send("POST", session + "/execute/sync", body);
    }

    /** Waits until a JavaScript expression is true. */
    public void await(String expression) {
        await(expression, () -> run("return Boolean(" + expression + ")").getAsBoolean());
    }

    /** Pictures of all elements that a selector finds, as {@code PREFIX-01.png} and so on. */
    public void screenshots(String selector, Path folder, String prefix) throws IOException {
        JsonObject body = new JsonObject();
        body.addProperty("using", "css selector");
        body.addProperty("value", selector);
        int number = 0;
        for (JsonElement element : send("POST", session + "/elements", body).getAsJsonArray()) {
            String id = element.getAsJsonObject().entrySet().iterator().next().getValue().getAsString();
            String png = send("GET", session + "/element/" + id + "/screenshot", null).getAsString();
            Files.write(folder.resolve("%s-%02d.png".formatted(prefix, ++number)), Base64.getDecoder().decode(png));
        }
    }

    /** Pixels across of a page that {@link #print} prints: letter paper on its side, 11 inches less margins of 1 cm, at 0.8. */
    public static final int PRINTED_WIDTH = (int) ((11 - 2 / 2.54) * 96 / 0.8);

    /** The page as it would be printed, on its side. */
    public void print(Path pdf) throws IOException {
        JsonObject body = new JsonObject();
        body.addProperty("background", false);
        body.addProperty("orientation", "landscape");
        body.addProperty("scale", 0.8);
        Files.write(pdf, Base64.getDecoder().decode(send("POST", session + "/print", body).getAsString()));
    }

    @Override
    public void close() throws IOException {
        send("DELETE", session, null);
        driver.destroy();
    }
}
