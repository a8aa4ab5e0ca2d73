package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.LiveNotebook;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No traceback shows a frame of VramLab: not above the user's, not between them, not below. */
class TracebacksInTheKernelTest extends InOneKernel {

    @BeforeEach
    void aFreshGpu() {
        notebook.ok("%device 256MiB");
    }

    /** The traceback without its colours, once it is certain that no frame in it is of VramLab or of reflection. */
    private static String traceback(LiveNotebook.Result result) {
        assertTrue(result.error() != null, "the cell ran to its end");
        String text = result.error().replaceAll("\u001b\\[\\d*m", "");
        for (String line : text.lines().toList()) {
            assertFalse(line.strip().startsWith("at io.vramlab"), text);
            assertFalse(line.contains("jdk.internal.reflect"), text);
            assertFalse(line.contains("REPL"), text);
        }
        return text;
    }

    @Test
    void anInterruptedMatrixProductShowsTheCellsLineOnly() {
        String text = traceback(notebook.interruptedAfterItsFirstWord("""
                var a = Tensor.randn(1024, 1024);
                while (true) {
                    System.out.println("begun");
                    a.matmul(a).close();
                }"""));
        assertTrue(text.startsWith("Interrupted: "), text);
        assertFalse(text.contains("io.vramlab"), text);
        assertTrue(text.contains("line"), text);
    }

    @Test
    void aCellThatIsStuckInsideVramLabNamesTheCallAndTheCellsLine() {
        notebook.ok("var blocked = Device.current();");
        notebook.ok("%device 256MiB"); // nobody but this test looks at a device that was replaced
        notebook.ok("""
                var let = new CountDownLatch(1);
                var held = new CountDownLatch(1);
                var holder = new Thread(() -> {
                    synchronized (blocked) {
                        held.countDown();
                        try {
                            let.await();
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                });
                holder.start();
                held.await();""");
        String text = traceback(notebook.interruptedAfterItsFirstWord("""
                void late(Device where) {
                    System.out.println("begun");
                    where.close();
                }
                late(blocked);"""));
        assertTrue(text.contains("does not react to interrupts: it is in Device.close. It was left behind"), text);
        assertTrue(text.contains("        3 |     where.close();"), text);
        assertTrue(text.contains("        5 | late(blocked);"), text);
        notebook.ok("let.countDown(); holder.join();");
    }

    @Test
    void anOutOfMemoryErrorDeepInModulesShowsTheUsersLinesOnly() {
        notebook.ok("""
                class Wide extends Module {
                    public Tensor forward(Tensor x) {
                        return x.expand(1 << 20, 1 << 10).contiguous();
                    }
                }
                class Whole extends Module {
                    Module inner = new Sequential(new Sequential(new ReLU(), new Wide()));
                    public Tensor forward(Tensor x) {
                        return inner.call(x);
                    }
                }""");
        String text = traceback(notebook.run("new Whole().call(Tensor.ones(1, 1 << 10));"));
        assertTrue(text.startsWith("io.vramlab.memory.OutOfMemoryException: CUDA out of memory."), text);
        assertEquals(
                List.of("        3 |         return x.expand(1 << 20, 1 << 10).contiguous();",
                        "        9 |         return inner.call(x);",
                        "        1 | new Whole().call(Tensor.ones(1, 1 << 10));"),
                text.lines().filter(line -> line.matches(" +\\d+ \\|.*")).toList(), text);
        assertEquals(List.of(), text.lines().filter(line -> line.contains("library")).toList(), text);
    }

    @Test
    void aMistakeInALambdaOfAStreamShowsTheLambdaAndItsCaller() {
        String text = traceback(notebook.run("""
                java.util.stream.Stream.of(1, 2)
                        .map(i -> Tensor.zeros(2).view(7))
                        .toList();"""));
        assertTrue(text.startsWith("io.vramlab.tensor.type.TensorException: "), text);
        assertTrue(text.contains("\n        2 |         .map(i -> Tensor.zeros(2).view(7))\n"), text);
        assertTrue(text.contains("\n        3 |         .toList();"), text);
    }

    @Test
    void aMistakeInAMethodReferenceShowsItsCaller() {
        String text = traceback(
                notebook.run("java.util.stream.Stream.of(Tensor.zeros(2)).map(Tensor::item).toList();"));
        assertTrue(text.startsWith("io.vramlab.tensor.type.TensorException: item() was asked of"), text);
        // between is a stream that counts its tensors, ours: it is left out as the rest of the runtime is
        assertTrue(text.stripTrailing().endsWith(".map(Tensor::item).toList();"), text);
        assertEquals(3, text.lines().count(), text);
    }

    @Test
    void anExceptionOfTheUsersForwardKeepsTheUsersLinesOnBothSidesOfOurs() {
        notebook.ok("""
                class Broken extends Module {
                    public Tensor forward(Tensor x) {
                        throw new IllegalStateException("mine");
                    }
                }""");
        String text = traceback(
                notebook.run("var net = new Sequential(new ReLU(), new Broken());\n\nnet.call(Tensor.ones(3));"));
        assertTrue(text.startsWith("java.lang.IllegalStateException: mine\n    at Broken.forward (In ["), text);
        assertTrue(text.contains("        3 |         throw new IllegalStateException(\"mine\");\n    at In ["), text);
        assertTrue(text.contains("        3 | net.call(Tensor.ones(3));"), text);
        assertFalse(text.contains("library"), text);
    }

    @Test
    void aRecursionThroughOurCodeIsFolded() {
        notebook.ok("""
                class Deep extends Module {
                    public Tensor forward(Tensor x) {
                        return call(x);
                    }
                }""");
        String text = traceback(notebook.run("new Deep().call(Tensor.ones(3));"));
        assertTrue(text.startsWith("java.lang.StackOverflowError"), text);
        assertTrue(text.contains("repeated frames"), text);
        assertFalse(text.contains("library"), text);
        assertTrue(text.lines().count() < 12, text);
    }

    @Test
    void anErrorOfOursThatExplainsNothingIsCalledADefectAndIsInTheLog() {
        List<LogRecord> logged = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry);
            }

            @Override
            public void flush() {
                // nothing is kept back
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
        Logger log = Logger.getLogger("io.vramlab.kernel.internal.eval.ShownError");
        log.addHandler(handler);
        try {
            String text = traceback(notebook.run("\nTensor.zeros(2).add((Tensor) null);"));
            assertTrue(text.startsWith("java.lang.NullPointerException: "), text);
            assertTrue(text
                    .contains("\n    inside VramLab (something that was given to it is null, or this is a defect of "
                            + "ours; the whole trace is in the kernel's log)\n    at In ["),
                    text);
            assertTrue(text.contains("        2 | Tensor.zeros(2).add((Tensor) null);"), text);
            assertEquals(1, logged.size());
            String where = logged.getFirst().getThrown().getStackTrace()[0].getClassName();
            assertTrue(where.startsWith("io.vramlab.tensor."), where);
            notebook.run("Tensor.zeros(2).view(7)");
            notebook.run("1 / 0");
            assertEquals(1, logged.size(), "a mistake is not a defect");
        } finally {
            log.removeHandler(handler);
        }
    }

    /** To store into an array, to make a map and to go through a list is woven: who makes a mistake there is not told of a defect of ours. */
    @ParameterizedTest
    @ValueSource(strings = {"Object[] none = null; none[0] = 1;", "Object[] two = new Object[2]; two[2] = 1;",
            "Object[] texts = new String[1]; texts[0] = 1;", "Object twice = Map.of(\"a\", 1, \"a\", 2);",
            "List.of((Object) null)",
            "var list = new ArrayList<>(List.of(1, 2, 3)); for (var x : list) list.remove(x);",
            "new ArrayList<>(List.of(1)).stream().map(x -> x / 0).toList()"})
    void whatJavaRefusesInWovenCodeIsTheUsersMistake(String cell) {
        String text = traceback(notebook.run(cell));
        assertFalse(text.contains("VramLab"), text);
        assertTrue(text.contains(cell), text);
    }
}
