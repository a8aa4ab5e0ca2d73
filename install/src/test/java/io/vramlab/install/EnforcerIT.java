package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

/** The build's own rules bite. */
class EnforcerIT {

    private static final String KOTLIN = """
            <dependency>
              <groupId>org.jetbrains.kotlin</groupId>
              <artifactId>kotlin-stdlib</artifactId>
              <version>2.0.0</version>
            </dependency>""";

    private Commands.Ran enforceOnAModuleWith(String dependency) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Checkout.file("install/target/enforced"));
        Path pom = Files.writeString(folder.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <parent>
                    <groupId>io.vramlab</groupId>
                    <artifactId>vramlab</artifactId>
                    <version>0.1.0</version>
                    <relativePath>../../../pom.xml</relativePath>
                  </parent>
                  <artifactId>enforced</artifactId>
                  <dependencies>%s</dependencies>
                </project>
                """.formatted(dependency));
        return Commands.run(Map.of(), List.of(Checkout.file("mvnw").toString(), "-q", "--batch-mode", "-f",
                pom.toString(), "enforcer:enforce@rules"));
    }

    @Test
    void aModuleWithKotlinDoesNotBuildAndTheMessageSaysWhy() throws Exception {
        assertEquals(0, enforceOnAModuleWith("").status());
        Commands.Ran ran = enforceOnAModuleWith(KOTLIN);
        assertNotEquals(0, ran.status());
        assertTrue((ran.out() + ran.err()).contains("free of Kotlin"), ran::out);
    }

    /** The toolchain plugin joins the names of variables that name one JDK, and then finds neither: mvnw does without names. */
    @Test
    void aJdkThatTwoVariablesNameIsFound() throws Exception {
        String jdk = System.getProperty("java.home");
        Commands.Ran ran = Commands.run(Map.of("JAVA_HOME", jdk, "JAVA25_HOME", jdk),
                List.of(Checkout.file("mvnw").toString(), "--batch-mode", "-o", "-N", "-f",
                        Checkout.file("pom.xml").toString(),
                        "org.apache.maven.plugins:maven-toolchains-plugin:select-jdk-toolchain@default"));
        assertEquals(0, ran.status(), ran::out);
    }
}
