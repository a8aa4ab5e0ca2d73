package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

/** How the command speaks. */
class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    @Test
    void everyCommandExplainsItself() {
        for (String command : Main.commandLine().getSubcommands().keySet()) {
            assertEquals(Main.OK, run(command, "--help"), command);
        }
        assertTrue(out.toString().contains("Usage: vramlab install"), out::toString);
    }

    @Test
    void ofTheCommandsOnlyTheOneThatIsNamedIsLookedAt() {
        Set<String> all = Main.commandLine().getSubcommands().keySet();
        for (String command : all) {
            assertEquals(command.equals("help") ? all : Set.of(command),
                    Main.commandLineFor(command, "--help").getSubcommands().keySet());
        }
        assertEquals(all, Main.commandLineFor("frobnicate").getSubcommands().keySet());
        assertEquals(all, Main.commandLineFor().getSubcommands().keySet());
    }

    @Test
    void aMistakeIsToldInThreePartsAndNotWithAPageOfHelp() {
        assertEquals(Main.USAGE, run("frobnicate"));
        assertEquals(3, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().contains("'frobnicate' is no command."), err::toString);
    }

    @Test
    void aMisspelledCommandOrOptionIsAnsweredWithWhatMayBeMeant() {
        assertEquals(Main.USAGE, run("reprot", "x.pickle"));
        assertTrue(err.toString().contains("'reprot' is no command. Did you mean report"), err::toString);
        assertEquals(Main.USAGE, run("report", "--jsno", "x.pickle"));
        assertTrue(err.toString().contains("'--jsno' is no option. Did you mean --json"), err::toString);
    }

    @Test
    void theExitStatusesAreToldInTheHelp() {
        assertEquals(Main.OK, run("--help"));
        for (int status : new int[]{Main.OK, Main.FAILED, Main.USAGE}) {
            assertTrue(out.toString().lines().anyMatch(line -> line.strip().startsWith(status + "  ")), out::toString);
        }
    }

    @Test
    void noCommandIsAMistakeAndWhatToTypeForWhatOneHasIsTold() {
        assertEquals(Main.USAGE, run());
        for (String command : List.of("vramlab explain", "vramlab report", "vramlab_trace", "vramlab plan",
                "vramlab install")) {
            assertTrue(err.toString().contains(command), err::toString);
        }
    }

    @Test
    void aKernelNameThatJupyterWouldRefuseIsRefusedBeforeAnythingIsWritten(@TempDir Path prefix) {
        assertEquals(Main.FAILED, run("install", "--prefix", prefix.toString(), "--name", "a b"));
        assertAll(() -> assertEquals(3, err.toString().lines().count(), err::toString),
                () -> assertFalse(err.toString().contains("\tat "), err::toString),
                () -> assertEquals(0, prefix.toFile().list().length));
    }

    @Test
    void uninstallingWhatIsNotThereSaysSoInThreeParts(@TempDir Path prefix) {
        assertEquals(Main.FAILED, run("uninstall", "--prefix", prefix.toString()));
        assertEquals(3, err.toString().lines().count(), err::toString);
    }

    @Test
    void onlyOnePlaceCanBeChosen() {
        assertEquals(Main.USAGE, run("install", "--user", "--prefix", "x"));
    }

    @Test
    void theDoctorFindsTheJdkThatRunsIt() {
        run("doctor");
        assertTrue(
                out.toString().lines()
                        .anyMatch(line -> line.startsWith("ok  JDK") && line.contains(Runtime.version().toString())),
                out::toString);
        // this JVM was started without what the jar's manifest opens
        assertTrue(out.toString().lines().anyMatch(
                line -> line.startsWith("--  cells      run without the accelerator, more slowly and else the same: ")),
                out::toString);
    }
}
