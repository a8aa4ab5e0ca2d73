package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.kernel.LiveNotebook;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The user's own names win over those that every session imports. */
class OwnNamesTest {

    @Test
    void aClassOfTheUsersOwnWins() throws Exception {
        try (LiveNotebook notebook = new LiveNotebook()) {
            for (String name : List.of("Batch", "Event", "Device", "Module", "Table", "Stream", "Linear", "Tensor",
                    "Cuda",
                    "Mark", "Exercise")) {
                notebook.ok("class %s { int own = 7; }".formatted(name));
                assertEquals("7", notebook.ok("new %s().own".formatted(name)).last(), name);
            }
        }
    }

    @Test
    void anImportOfTheUsersOwnWins() throws Exception {
        try (LiveNotebook notebook = new LiveNotebook()) {
            for (String name : List.of("java.lang.Module", "java.awt.Event", "io.vramlab.device.Stream")) {
                notebook.ok("import %s;".formatted(name));
                String simple = name.substring(name.lastIndexOf('.') + 1);
                assertEquals(name, notebook.ok(simple + ".class.getName()").last());
            }
        }
    }

    @Test
    void whatATrainingLoopNeedsIsImported() throws Exception {
        try (LiveNotebook notebook = new LiveNotebook()) {
            for (String name : List.of("io.vramlab.nn.Module", "io.vramlab.tensor.Tensor", "io.vramlab.data.Batch",
                    "io.vramlab.optim.AdamW", "io.vramlab.amp.GradScaler", "io.vramlab.autograd.Checkpoint",
                    "io.vramlab.device.Event", "io.vramlab.memory.MemorySnapshot", "java.util.stream.Stream")) {
                String simple = name.substring(name.lastIndexOf('.') + 1);
                assertEquals(name, notebook.ok(simple + ".class.getName()").last());
            }
        }
    }
}
