package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a cell does to the process that it shares with the kernel, it is told of, and the next cell works. */
class HostileCellsTest {

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

    @ParameterizedTest
    @ValueSource(strings = {"try (var w = new java.io.PrintWriter(System.out)) { w.println(\"x\"); }",
            "try (var w = new java.io.PrintWriter(System.err)) { w.println(\"x\"); }", "System.out.close();",
            "try (var in = new Scanner(System.in)) { }", "System.in.close();", "System.setOut(null);",
            "System.setErr(null);", "System.setIn(null);",
            "System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));",
            "System.setErr(System.out);", "System.setErr(null);\nSystem.setOut(null);\nSystem.setIn(null);",
            "System.setProperties(new Properties());", "System.getProperties().clear();",
            "Locale.setDefault(Locale.forLanguageTag(\"ar-EG-u-nu-arab\"));",
            "Locale.setDefault(Locale.forLanguageTag(\"tr-TR\"));",
            "TimeZone.setDefault(new SimpleTimeZone(1, \"none\"));",
            "java.util.logging.LogManager.getLogManager().reset();",
            "Thread.currentThread().setContextClassLoader(null);",
            "Thread.setDefaultUncaughtExceptionHandler((t, e) -> { throw new IllegalStateException(); });",
            "Thread.currentThread().setName(null + \"\");", "Thread.currentThread().interrupt();",
            "new Thread(() -> { synchronized (System.out) { try { Thread.sleep(5_000); } catch (InterruptedException e) { } } }).start();"})
    void whatACellDoesToStreamsAndSettingsOfTheProcessHarmsNoLaterCell(String code) {
        Locale before = Locale.getDefault();
        Properties properties = (Properties) System.getProperties().clone();
        try {
            client.execute(code);

            Answer next = client.execute("System.out.println(\"out\");\nSystem.err.println(\"err\");\n6 * 7");
            assertEquals("42", next.value(), next::traceback);
            assertEquals("out\n", next.stdout());
            assertEquals("err\n", next.text("stderr"));
            assertEquals("3", client.execute("int three = 3;\nthree").value());
            String told = client.execute("int zero = 0;\n1 / zero").traceback();
            assertTrue(told.contains("In [") && told.matches("(?s).*line \\p{Nd}.*"), told);
            JsonObject asking = TestClient.executeContent("new Scanner(System.in).nextLine()");
            asking.addProperty("allow_stdin", true);
            String id = client.send(client.shell, "execute_request", asking);
            client.await(each -> each.type().equals("input_request"));
            client.send(client.stdin, "input_reply", TestClient.json("{\"value\":\"read\"}"));
            assertEquals("read", client.answer(id).value());
        } finally {
            System.setProperties(properties);
            Locale.setDefault(before);
            TimeZone.setDefault(null);
        }
    }

    private static final String HUGE = "\"x\".repeat(100_000_000)";

    @ParameterizedTest
    @ValueSource(strings = {"public StackTraceElement[] getStackTrace() { return null; }",
            "public StackTraceElement[] getStackTrace() { return new StackTraceElement[3]; }",
            "public StackTraceElement[] getStackTrace() { throw new IllegalStateException(); }",
            "public StackTraceElement[] getStackTrace() { return new StackTraceElement[]{new StackTraceElement(\"A\", \"b\", \"In [99999999999]\", -7)}; }",
            "public StackTraceElement[] getStackTrace() { return new StackTraceElement[]{new StackTraceElement(\"A\", "
                    + HUGE + ", \"In [1]\", 1)}; }",
            "public String getMessage() { throw new IllegalStateException(); }",
            "public String getMessage() { throw new StackOverflowError(); }",
            "public String getMessage() { return getMessage(); }",
            "public String getMessage() { return " + HUGE + "; }",
            "public String getMessage() { return null; }",
            "public String getMessage() { System.exit(3); return \"\"; }",
            "public String toString() { throw new IllegalStateException(); }",
            "public String toString() { return " + HUGE + "; }",
            "public Throwable getCause() { return new Bad(); }",
            "public Throwable getCause() { throw new IllegalStateException(); }",
            "public synchronized Throwable fillInStackTrace() { return null; }",
            "public int hashCode() { throw new IllegalStateException(); } public boolean equals(Object o) { throw new IllegalStateException(); }"})
    void anExceptionOfAnyKindIsShownAndEndsTheQueue(String method) throws Exception {
        client.execute("class Bad extends RuntimeException { " + method + " }\nint ran = 0;");
        String id = client.sendCell(KernelUnderTest.untilOpened("if (ran >= 0) throw new Bad();"));
        String queued = kernel.queue("ran = 1;");
        KernelUnderTest.open();

        Answer answer = client.answer(id);
        assertEquals("error", answer.status());
        assertEquals("Bad", answer.reply().get("ename").getAsString());
        assertEquals(1, answer.published("error").size());
        assertTrue(answer.traceback().length() < 100_000);
        assertEquals("aborted", client.answer(queued).status());
        assertEquals("0", client.execute("ran").value());
    }

    @Test
    void anExceptionWhoseMessageNeverEndsIsInterruptedAndShown() {
        for (String body : new String[]{"while (true) { }",
                "try { Thread.sleep(60_000); } catch (InterruptedException e) { } return \"\";"}) {
            client.execute(
                    "class Endless extends RuntimeException { public String getMessage() { System.out.println(1); System.out.flush(); "
                            + body + " } }");
            String id = client.sendCell("throw new Endless();");
            client.await(each -> each.parentId().equals(id) && each.type().equals("stream"));
            client.send(client.control, "interrupt_request", new JsonObject());
            assertEquals("error", client.answer(id).status());
            assertEquals("2", client.execute("1+1").value());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"System.exit(3);", "Runtime.getRuntime().exit(3);", "Runtime.getRuntime().halt(3);",
            "IntStream.of(3).forEach(System::exit);", "IntStream.of(3).forEach(Runtime.getRuntime()::halt);",
            "java.util.function.BiConsumer<Runtime, Integer> end = Runtime::exit; end.accept(Runtime.getRuntime(), 3);",
            "System.class.getMethod(\"exit\", int.class).invoke(null, 3);",
            "Runtime.class.getMethod(\"halt\", int.class).invoke(Runtime.getRuntime(), 3);",
            "var all = System.class.getMethods(); for (var each : all) if (each.getName().equals(\"exit\")) each.invoke(null, 3);"})
    void noWayToWriteExitEndsTheKernel(String code) {
        Answer answer = client.execute(code);
        assertEquals("SystemExit", answer.reply().get("ename").getAsString(), answer.reply().toString());
        assertFalse(kernel.exited.isDone());
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void reflectionStillSeesItsCaller() {
        assertEquals("7",
                client.execute(
                        """
                                class Own { private static int secret(int n) { return n + 3; }
                                    static Object call() throws Exception { return Own.class.getDeclaredMethod("secret", int.class).invoke(null, 4); } }
                                Own.call()""")
                        .value());
    }
}
