package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.PackagedKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inspection and completion of everything that the distribution brings: the runtime, the kernel's functions, the magics. */
class HelpWhileTypingIT {

    @TempDir
    private static Path folder;
    private static PackagedKernel kernel;

    @BeforeAll
    static void start() throws IOException {
        kernel = new PackagedKernel(Installed.kernelAlone(), folder);
        kernel.ok("var x = Tensor.ones(2, 2);\nvar loader = new DataLoader(new TensorDataset(x), 1);");
    }

    @AfterAll
    static void end() throws InterruptedException {
        kernel.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"Tensor|; Tensor", "Cuda.memoryAllocated|; Cuda.memoryAllocated(",
            "x.relu|; Tensor.relu(", "x.matmul(|; Tensor.matmul(Tensor other)",
            "Tensor.zeros(|; Tensor.zeros(long... shape)", "x.index(|; Tensor.index(Object... items)",
            "Functional.relu(|; Functional.relu(Tensor x)", "new Linear(|; Linear(",
            "new Linear|(4, 2); Linear(long in, long out)", "new Linear|(4, 2); io.vramlab.nn.Linear",
            "new SGD(|; SGD(",
            "DataLoader|; DataLoader", "Autocast|; Autocast", "Device.simulated(|; Device.simulated(",
            "display(|; display(", "Progress|; Progress", "Math.ma|x(1, 2); Math.max("})
    void theRuntimeTheNotebooksFunctionsAndTheJdkAreShownWithTheirWords(String marked, String signature) {
        String text = kernel.inspected(marked);
        assertTrue(text.contains(signature), text);
        List<String> parts = List.of(text.split("\n\n(?! )"));
        for (String part : parts) {
            assertTrue(part.lines().skip(1).anyMatch(line -> line.matches(" {4}.*\\w.*")), part);
        }
        assertFalse(text.contains("{@"), text);
        assertFalse(text.contains("&#"), text);
    }

    @Test
    void aQuestionMarkShowsTheSame() {
        for (String name : List.of("Tensor", "Cuda.memoryAllocated", "x.matmul", "%track", "Math.max")) {
            assertEquals(kernel.inspected(name + "|"), kernel.paged(name + "?"));
        }
    }

    @Test
    void aMagicIsShownWithItsOptions() {
        String text = kernel.inspected("%track --to|p 3");
        assertTrue(text.startsWith("%track [--top N] [--sort bytes|age|name|kind|cell]"), text);
        assertTrue(text.contains("\n  --leaks "), text);
        assertEquals(text, kernel.inspected("%%tra|ck"));
    }

    @Test
    void magicsTheirOptionsAndValuesAreCompleted() throws IOException {
        assertEquals(List.of("%track"), kernel.completed("%tr|"));
        assertEquals(List.of("%%track"), kernel.completed("%%tr|"));
        assertEquals(List.of("%track on", "%track off"), kernel.completed("%track |"));
        assertEquals(List.of("%track --top", "%track --sort", "%track --each", "%track --leaks", "%track --collected",
                "%track --older",
                "%track --device", "%track --help"), kernel.completed("%track --|"));
        assertEquals(List.of("%track --sort bytes", "%track --sort age", "%track --sort name", "%track --sort kind",
                "%track --sort cell"), kernel.completed("%track --sort |"));
        assertEquals(List.of("%memory_summary --abbreviated", "%memory_summary --device", "%memory_summary --help"),
                kernel.completed("%memory_summary --|"));
        assertEquals(List.of("%holds loader", "%holds x"), kernel.completed("%holds |").stream().sorted().toList());
        assertEquals(List.of("%fit --on H100-80GB"), kernel.completed("%fit --on H100-8|"));
        Files.createFile(folder.resolve("history.pickle"));
        assertEquals(List.of("%what_if --on T4 history.pickle"), kernel.completed("%what_if --on T4 hist|"));
    }

    @Test
    void theCursorMayStandInTheMiddleAndBehindAnEmoji() {
        assertEquals(List.of("var s = \"😀\";\n%track --leaks --top 3\nx.relu();"),
                kernel.completed("var s = \"😀\";\n%track --le| --top 3\nx.relu();"));
        assertEquals(List.of("Table t = %memory_stats --device"), kernel.completed("Table t = %memory_stats --d|"));
        assertEquals(List.of("var s = \"😀\"; x.matmul("), kernel.completed("var s = \"😀\"; x.matm|"));
        assertEquals(List.of("%fit --on T4 x.matmul(x) over n in 1..9"),
                kernel.completed("%fit --on T4 x.matm|x) over n in 1..9"));
    }
}
