package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the user cannot name any more is garbage: JShell by itself would keep all of it for ever. */
class ReleaseTest {

    private static KernelUnderTest kernel;
    private static TestClient client;

    @BeforeAll
    static void start() throws Exception {
        kernel = new KernelUnderTest();
        client = kernel.client;
        client.execute("import java.lang.ref.WeakReference;");
        client.execute("""
                class Big {
                    static List<WeakReference<Big>> all = new ArrayList<>();
                    int[] data = new int[1000];
                    Big() { all.add(new WeakReference<>(this)); }
                    static long alive() {
                        for (int i = 0; i < 3; i++) System.gc();
                        return all.stream().filter(each -> each.get() != null).count();
                    }
                }""");
    }

    @AfterAll
    static void stop() throws Exception {
        kernel.close();
    }

    @BeforeEach
    void forget() {
        client.execute("Big.all.clear();");
    }

    private static void isAlive(int objects) {
        assertEquals(String.valueOf(objects), client.execute("Big.alive()").value());
    }

    @Test
    void declaringAVariableAgainReleasesItsFormerValue() {
        for (int i = 0; i < 4; i++) {
            client.execute("var a = new Big();");
        }
        isAlive(1);
        client.execute("a = null;");
        isAlive(0);
    }

    @Test
    void aVariableThatChangesItsTypeReleasesItsFormerValue() {
        client.execute("var b = new Big();");
        client.execute("String b = \"text\";");
        client.execute("var b = new Big();");
        client.execute("int b = 3;");
        isAlive(0);
    }

    @Test
    void aDeclarationRepeatedAfterTheVariableWasDroppedIsKnownAgain() {
        for (int i = 0; i < 2; i++) {
            client.execute("Big repeated = new Big();");
            assertTrue(client.execute("%who").value().contains("repeated"));
            client.execute("%reset repeated");
            isAlive(0);
        }
    }

    @Test
    void anUnnamedResultLivesToTheEndOfTheNextCell() {
        client.execute("new Big()");
        // the cell that counts is the next cell, at whose end the result goes
        isAlive(1);
        isAlive(0);
    }

    @Test
    void anUnnamedResultCanBeNamedInTheNextCell() {
        client.execute("new Big()");
        String name = null;
        for (int i = 1; i < 200 && name == null; i++) {
            if (client.execute(quiet("$" + i + " instanceof Big")).reply().get("status").getAsString().equals("ok")) {
                name = "$" + i;
            }
        }
        assertTrue(name != null);
        client.execute("var c = " + name + ";");
        client.execute("int nothing = 0;");
        client.execute("int nothing2 = 0;");
        isAlive(1);
        client.execute("c = null;");
        isAlive(0);
    }

    private static JsonObject quiet(String code) {
        JsonObject content = TestClient.executeContent(code);
        content.addProperty("silent", true);
        return content;
    }

    @Test
    void aClassDeclaredAgainReleasesWhatItStrands() {
        client.execute("class Shell { Big big = new Big(); }");
        client.execute("var d = new Shell();");
        client.execute("class Shell { Big big = new Big(); double other; }");
        isAlive(0);
    }

    @Test
    void localsOfFailedCellsAreReleased() {
        client.execute("{ var e = new Big(); if (e != null) throw new RuntimeException(); }");
        client.execute("int nothing = 0;");
        isAlive(0);
    }
}
