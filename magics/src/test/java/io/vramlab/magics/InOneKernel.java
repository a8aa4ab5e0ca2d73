package io.vramlab.magics;

import io.vramlab.kernel.LiveNotebook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests that share one kernel, in whose cells they run. */
abstract class InOneKernel {

    static LiveNotebook notebook;

    @BeforeAll
    static void start() throws Exception {
        notebook = new LiveNotebook();
    }

    @AfterAll
    static void stop() throws Exception {
        notebook.close();
    }
}
