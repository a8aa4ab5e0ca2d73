package io.vramlab.kernel.internal.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.internal.eval.accelerated.JShellInsides;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.StandardJavaFileManager;
import jdk.jshell.JShell;
import jdk.jshell.SourceCodeAnalysis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever becomes of the accelerator, in its own start or later, cells answer as they would with it. */
@ResourceLock("vramlab.accelerator")
class AccelerationTest {

    /** An accelerator that does its work until one of its parts fails. */
    private static class Failing implements Accelerator {

        private final Accelerator real;
        private final String part;
        private int uses;

        Failing(Accelerator real, String part) {
            this.real = real;
            this.part = part;
        }

        static Factory at(String part) {
            return (shell, files, classes) -> new Failing(JShellInsides.open(shell, files, classes), part);
        }

        private void failAt(String each, int use) {
            if (each.equals(part) && ++uses > use) {
                throw new ClassCastException("a field has another type in this release");
            }
        }

        @Override
        public Javac javac() {
            Javac javac = real.javac();
            return new Javac() {
                @Override
                public <T> T run(List<SourceText> files, Work<T> work) {
                    failAt("run", 4);
                    return javac.run(files, work);
                }

                @Override
                public Map<String, byte[]> written() {
                    return javac.written();
                }

                @Override
                public void declarationsChanged() {
                    javac.declarationsChanged();
                }

                @Override
                public void reset() {
                    javac.reset();
                }
            };
        }

        @Override
        public int reserve(Declaration declaration) throws ReflectiveOperationException {
            failAt("reserve", 1);
            return real.reserve(declaration);
        }

        @Override
        public void announce(Declaration declaration) throws ReflectiveOperationException {
            failAt("announce", 0);
            real.announce(declaration);
        }

        @Override
        public void release(Declaration declaration) throws ReflectiveOperationException {
            real.release(declaration);
        }

        @Override
        public Set<String> forget() throws ReflectiveOperationException {
            failAt("forget", 0);
            return real.forget();
        }

        @Override
        public void rest() throws ReflectiveOperationException {
            real.rest();
        }

        @Override
        public void documentationSources(SourceCodeAnalysis analysis, Set<Path> jars)
                throws ReflectiveOperationException {
            real.documentationSources(analysis, jars);
        }

        @Override
        public void forgetClasses(Set<String> wrappers) {
            failAt("forgetClasses", 0);
            real.forgetClasses(wrappers);
        }
    }

    private static Accelerator missing(JShell shell, StandardJavaFileManager files, Map<String, byte[]> classFiles) {
        throw new NoSuchFieldError("keyIndexToSnippet");
    }

    private static Accelerator ofAnotherType(JShell shell, StandardJavaFileManager files,
            Map<String, byte[]> classFiles) {
        throw new ClassCastException("java.util.HashMap cannot be cast to java.util.List");
    }

    static Stream<Accelerator.Factory> failing() {
        return Stream.of(AccelerationTest::missing, AccelerationTest::ofAnotherType, Failing.at("run"),
                Failing.at("reserve"), Failing.at("announce"), Failing.at("forget"), Failing.at("forgetClasses"));
    }

    @ParameterizedTest
    @MethodSource("failing")
    void cellsAnswerTheSameWhenItFails(Accelerator.Factory factory) throws Exception {
        try (Interpreter java = new Interpreter(List.of("import java.util.*;"), note -> {
        }, status -> {
        }, factory)) {
            assertEquals(2, run(java, 1, "1 + 1"));
            run(java, 2, "class Point { int x = 4; }\nint twice(int n) { return 2 * n; }\nvar p = new Point();");
            java.rest();
            assertEquals(8, run(java, 3, "twice(p.x)"));
            run(java, 4, "var p = List.of(3);");
            assertEquals(6, run(java, 5, "int n = p.get(0);\ntwice(n)"));
            assertEquals("[p, n]", java.variables().stream().filter(each -> !each.name().startsWith("$"))
                    .map(each -> each.name()).toList().toString());
            assertTrue(java.withoutAccelerator().isPresent());
        }
    }

    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void aRestThatFailsLeavesTheRestOfIt() throws Exception {
        Accelerator.Factory factory = (shell, files, classes) -> {
            Accelerator real = JShellInsides.open(shell, files, classes);
            return new Failing(real, "") {
                @Override
                public void rest() {
                    throw new ClassCastException("a field has another type in this release");
                }
            };
        };
        try (Interpreter java = new Interpreter(List.of(), note -> {
        }, status -> {
        }, factory)) {
            // these tests run without the accelerator too
            Optional<String> before = java.withoutAccelerator();
            run(java, 1, "int twice(int n) { return 2 * n; }");
            java.rest();
            assertEquals(8, run(java, 2, "twice(4)"));
            assertEquals(before, java.withoutAccelerator());
        }
    }

    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void itIsGivenUpForGoodWhenItIsSwitchedOff() throws Exception {
        String before = System.setProperty(Acceleration.SWITCH, "off");
        try (Interpreter java = new Interpreter(List.of(), note -> {
        }, status -> {
        }, JShellInsides::open)) {
            assertEquals("it was switched off", java.withoutAccelerator().orElseThrow());
            assertEquals(5, run(java, 1, "int x = 5;\nx"));
        } finally {
            if (before == null) {
                System.clearProperty(Acceleration.SWITCH);
            } else {
                System.setProperty(Acceleration.SWITCH, before);
            }
        }
    }

    private static Object run(Interpreter java, int cell, String code) throws Exception {
        CellRun run = new CellRun(cell, new JsonObject(), List.of(), false, false);
        try (CellThread thread = new CellThread(run)) {
            java.thread(thread);
            Object value = java.evaluate(cell, code, 1).value();
            java.endCell(cell);
            return value;
        }
    }
}
