package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.LiveNotebook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code %del} forgets the names it is given, and no other. */
class DelInTheKernelTest {

    private static LiveNotebook notebook;

    @BeforeAll
    static void start() throws Exception {
        notebook = new LiveNotebook();
        notebook.ok("%device 1GiB");
    }

    @AfterAll
    static void stop() throws Exception {
        notebook.close();
    }

    @Test
    void whatWasComputedFromAForgottenVariableStays() {
        notebook.ok("var a = Tensor.ones(1000);\nvar b = a.add(1);\nTensor c = b.add(1);\nint n = 3, m = n + 1;");
        // 4,000 bytes take a block of 4,096
        assertTrue(notebook.ok("%del a").last().contains("a         Tensor  4,096  4.00 KiB"));
        assertEquals("2000.0", notebook.ok("b.sum().item()").last());
        notebook.ok("%del b n");
        assertEquals("3000.0", notebook.ok("c.sum().item()").last());
        assertEquals("4", notebook.ok("m").last());
        assertTrue(notebook.ok("%track").last().contains("c  "));
        notebook.ok("%del c m");
        assertEquals("0", notebook.ok("Cuda.memoryAllocated()").last());
    }
}
