package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of the JDKs that are there install/find-jdk takes, on a machine of folders. */
class FindJdkTest {

    @TempDir
    private Path machine;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void aMachineWithoutJava() throws IOException {
        environment.put("VRAMLAB_JDK_FOLDERS", Files.createDirectories(machine.resolve("jvm")).toString());
        for (String variable : List.of("VRAMLAB_JAVA_HOME", "JAVA25_HOME", "JAVA_HOME")) {
            environment.put(variable, "");
        }
        // what the script itself runs, and no java
        Path programs = Files.createDirectories(machine.resolve("bin"));
        for (String program : List.of("sed", "head", "cat", "readlink")) {
            Path found = List.of("/usr/bin", "/bin").stream().map(folder -> Path.of(folder, program))
                    .filter(Files::isExecutable).findFirst().orElseThrow();
            program(programs.resolve(program), "#!/bin/sh\nexec " + found + " \"$@\"\n");
        }
        environment.put("PATH", programs.toString());
    }

    private String jdk(String name, String version) throws IOException {
        Path home = machine.resolve("jvm").resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        for (String program : List.of("java", "javac")) {
            program(home.resolve("bin").resolve(program), "");
        }
        return home.toString();
    }

    private static void program(Path file, String text) throws IOException {
        assertTrue(Files.writeString(file, text).toFile().setExecutable(true));
    }

    private Commands.Ran find() throws IOException, InterruptedException {
        return Commands.run(environment, List.of(Checkout.file("install/find-jdk").toString()));
    }

    private void takes(String home, String said) throws IOException, InterruptedException {
        Commands.Ran ran = find();
        assertEquals(home + "\n", ran.out(), ran::err);
        assertEquals(said, ran.err());
        assertEquals(0, ran.status());
    }

    @Test
    void aJdk25IsTakenWithoutAWord() throws Exception {
        takes(jdk("temurin-25", "25.0.3"), "");
    }

    @Test
    void aNewerOneIsTakenAndNamed() throws Exception {
        String home = jdk("java-26-openjdk", "26.0.2.1");
        takes(home, "vramlab: JDK 26.0.2.1 in " + home + "\n");
    }

    @Test
    void anEarlyAccessBuildCountsAsItsRelease() throws Exception {
        String home = jdk("early", "27-ea");
        takes(home, "vramlab: JDK 27-ea in " + home + "\n");
    }

    @Test
    void ofSeveralTheOneNearestTo25IsTaken() throws Exception {
        jdk("a-28", "28");
        jdk("b-24", "24.0.2");
        String nearest = jdk("c-26", "26.0.2");
        jdk("d-27", "27");
        takes(nearest, "vramlab: JDK 26.0.2 in " + nearest + "\n");
        takes(jdk("e-25", "25"), "");
    }

    @Test
    void oneNewerThanWasTriedIsTakenWithAWarning() throws Exception {
        String home = jdk("a-28", "28.0.1");
        takes(home, "vramlab: JDK 28.0.1 in " + home + " is newer than those that VramLab was tried on (25 to 27);"
                + " VRAMLAB_JAVA_HOME chooses another\n");
    }

    @Test
    void anOlderOneIsNamedInWhatIsSaid() throws Exception {
        jdk("java-24", "24.0.2");
        jdk("java-8", "1.8.0_392");
        Commands.Ran ran = find();
        assertEquals(1, ran.status());
        assertEquals("", ran.out());
        assertTrue(ran.err().startsWith("VramLab needs a JDK 25 or newer (a JDK, not a JRE).\n"), ran::err);
        assertTrue(ran.err().contains("; older: 24.0.2, 1.8.0_392.\n"), ran::err);
        assertTrue(ran.err().contains("VRAMLAB_JAVA_HOME"), ran::err);
    }

    /** JAVA_HOME most often names the JDK that a user has been told is too old. */
    @Test
    void anOlderOneThatAVariableNamesIsNamedToo() throws Exception {
        String old = jdk("not-looked-for/java-21", "21.0.5");
        environment.put("JAVA_HOME", old);
        Commands.Ran ran = find();
        assertEquals(1, ran.status());
        assertTrue(ran.err().contains("; older: 21.0.5"), ran::err);
    }

    @Test
    void aJreIsNone() throws Exception {
        Files.delete(Path.of(jdk("jre-25", "25"), "bin/javac"));
        assertEquals(1, find().status());
    }

    @Test
    void whatTheUserNamesWinsOverWhatIsNearer() throws Exception {
        jdk("a-25", "25");
        String chosen = jdk("b-27", "27");
        for (String variable : List.of("VRAMLAB_JAVA_HOME", "JAVA25_HOME", "JAVA_HOME")) {
            environment.put(variable, chosen);
            takes(chosen, "vramlab: JDK 27 in " + chosen + "\n");
            environment.put(variable, "");
        }
    }

    @Test
    void theVariableOfThisProjectIsNeverPassedOver() throws Exception {
        environment.put("JAVA_HOME", jdk("a-25", "25"));
        environment.put("VRAMLAB_JAVA_HOME", jdk("b-24", "24.0.2"));
        Commands.Ran ran = find();
        assertEquals(1, ran.status());
        assertEquals(3, ran.err().lines().count(), ran::err);
        assertTrue(ran.err().contains("There is a JDK 24.0.2; a JDK 25 or newer is needed."), ran::err);
        environment.put("VRAMLAB_JAVA_HOME", machine.resolve("nowhere").toString());
        assertTrue(find().err().contains("There is no JDK; "), ran::err);
    }

    @Test
    void theOthersArePassedOverWhenTheyAreTooOld() throws Exception {
        String old = jdk("a-21", "21.0.4");
        String fits = jdk("b-25", "25");
        environment.put("JAVA_HOME", old);
        takes(fits, "");
        environment.put("JAVA25_HOME", old);
        takes(fits, "vramlab: JAVA25_HOME=" + old + " holds no JDK 25 or newer: looking elsewhere\n");
    }

    @Test
    void theJavaOnThePathIsTakenWhereItsLinksLead() throws Exception {
        jdk("a-25", "25");
        String onPath = jdk("b-26", "26");
        Files.createSymbolicLink(machine.resolve("bin/java"), Path.of(onPath, "bin/java"));
        takes(onPath, "vramlab: JDK 26 in " + onPath + "\n");
    }

    @Test
    void theScriptAndTheDoctorNameTheSameReleases() {
        assertTrue(Checkout.text("install/find-jdk")
                .contains("\nleast=" + JavaCheck.LEAST + "\ntried=" + JavaCheck.TRIED + "\n"));
        assertTrue(Checkout.text("pom.xml").contains("<version>[" + JavaCheck.LEAST + ",)</version>"));
    }
}
