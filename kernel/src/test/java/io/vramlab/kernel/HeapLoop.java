package io.vramlab.kernel;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import java.nio.file.Files;
import java.nio.file.Path;

class HeapLoop {
    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        Path base = Path.of(args[1]);
        for (int i = 0; i < n; i++) {
            Path folder = base.resolve("" + i);
            Files.createDirectories(folder);
            long t = System.nanoTime();
            JsonObject connection = KernelUnderTest.connection();
            Process process = KernelProcess.start(folder, connection, "-XX:+UseSerialGC", "-Xmx96m");
            TestClient client = null;
            String at = "connect";
            try {
                client = new TestClient(connection);
                client.patienceMillis = 60_000;
                at = "first";
                client.execute("int kept = 41; var early = new ArrayList<Object>();").status();
                at = "fill";
                Answer a = client
                        .execute(args[2] + "List<Object> sm = new LinkedList<>(); while (true) sm.add(new long[4]);");
                at = "next";
                Answer b = client.execute("kept + 1");
                at = "control";
                client.ask(client.control, "kernel_info_request", new JsonObject());
                at = "reset";
                client.execute("%reset");
                System.out.printf("%d ok %.1f %s %s%n", i, (System.nanoTime() - t) / 1e9, a.status(), b.value());
                process.destroyForcibly().waitFor();
            } catch (Throwable e) {
                System.out.printf("%d LOST at %s pid %d folder %s: %s%n", i, at, process.pid(), folder, e);
                Process p = new ProcessBuilder(System.getProperty("java.home") + "/bin/jstack", "-l",
                        "" + process.pid()).redirectErrorStream(true)
                        .redirectOutput(folder.resolve("stack1").toFile()).start();
                p.waitFor(30, java.util.concurrent.TimeUnit.SECONDS);
                Thread.sleep(5000);
                new ProcessBuilder(System.getProperty("java.home") + "/bin/jstack", "-l", "" + process.pid())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("stack2").toFile()).start()
                        .waitFor(30, java.util.concurrent.TimeUnit.SECONDS);
                new ProcessBuilder(System.getProperty("java.home") + "/bin/jcmd", "" + process.pid(), "GC.heap_info")
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("heap").toFile()).start()
                        .waitFor(30, java.util.concurrent.TimeUnit.SECONDS);
                // left alive to be looked at
            }
            if (client != null) {
                client.close();
            }
        }
    }
}
