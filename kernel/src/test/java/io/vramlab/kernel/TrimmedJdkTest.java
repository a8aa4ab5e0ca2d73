package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JDK made with jlink for a machine that has none may lack modules that nothing of a cell needs. */
class TrimmedJdkTest {

    /** No {@code java.instrument}: no agent, and so no accelerator. */
    private static final String MODULES = "java.base,java.desktop,java.logging,java.management,java.net.http,java.prefs,"
            + "java.sql,jdk.compiler,jdk.incubator.vector,jdk.jshell,jdk.management,jdk.unsupported,jdk.zipfs";

    @TempDir
    private Path folder;

    @Test
    void cellsRunWithoutTheAgentsModule() throws Exception {
        JsonObject connection = KernelUnderTest.connection();
        Process process = KernelProcess.start(folder, connection, "--limit-modules", MODULES);
        try (TestClient client = TestClient.ofStarted(connection, TestClient.PATIENCE_MILLIS)) {
            assertEquals("false", client.execute(
                    "ModuleLayer.boot().findModule(\"java.instrument\").isPresent()").value());
            assertEquals("1", client.execute("class Once { int number() { return 1; } }\nnew Once().number()").value());
            assertEquals("2", client.execute("class Once { int number() { return 2; } }\nnew Once().number()").value());
        } finally {
            process.destroyForcibly();
        }
    }
}
