package io.vramlab.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.OutOfMemoryException;

import picocli.CommandLine;

/**
 * Runs each short command on small recordings of PyTorch: what the JVM loads meanwhile is what {@code install/start} puts
 * into their ahead-of-time cache. Recordings of several causes, because a detector that none of them needs would be missing.
 */
final class CommandTraining {

    private static final List<String> SNAPSHOTS = List.of("a1_retrieval_recall.plain.pickle.gz",
            "a1_session_store.plain.pickle.gz", "a1_resume_finetune.plain.pickle.gz", "a2_few_shot.plain.pickle.gz",
            "churn_tabular_net.plain.pickle.gz", "flaky_augment.plain.pickle.gz",
            "a1_find_batch_size.nostack.pickle.gz");
    private static final String TRACE = "mlp_adamw.trace";
    /** Of {@code small_net.py} beside it: convolutions that cuDNN was asked about, a GradScaler, and what many programs have besides. */
    private static final String NET = "small_net.trace";
    /** Of which the context leaves about as much as the net needs. */
    private static final String BARELY = "850MiB";
    private static final String MESSAGE = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has"
            + " a total capacity of 79.11 GiB of which 5.00 MiB is free. Including non-PyTorch memory, this process has"
            + " 79.10 GiB memory in use. Of the allocated memory 77.00 GiB is allocated by PyTorch, and 1.00 GiB is"
            + " reserved by PyTorch but unallocated.";

    private static final int BLOCKS = 120;
    private static final int STEPS = 400;

    private final Path folder;

    private CommandTraining(Path folder) {
        this.folder = folder;
    }

    /** Runs all of them; what they write goes into a folder that is deleted. */
    static void run() throws IOException {
        Path folder = Files.createTempDirectory("vramlab-training-");
        try {
            new CommandTraining(folder).all();
        } finally {
            Folders.delete(folder);
        }
    }

    private void all() throws IOException {
        List<String> snapshots = new ArrayList<>();
        for (String name : SNAPSHOTS) {
            snapshots.add(file(name));
        }
        String notebook = folder.resolve("report.ipynb").toString();
        for (String snapshot : snapshots) {
            command("report", snapshot, "-o", notebook, "--source", folder.toString(), "--force");
        }
        command("report", longHistory(), "-o", notebook, "--source", folder.toString(), "--force");
        command("report", snapshots.getFirst(), "--source", folder.toString(), "--json");
        command("what-if", snapshots.getFirst());
        command("view", snapshots.getFirst(), "-o", folder.resolve("view.html").toString());
        command("diff", snapshots.getFirst(), snapshots.getLast());
        command("explain", MESSAGE);
        command("plan", file(TRACE));
        String net = file(NET);
        command("plan", net);
        command("plan", "--device", BARELY, "--json", net);
        command("doctor");
    }

    /** Some hundred thousand events, so that what is run often is known to be (JEP 515) and is compiled at once. */
    private String longHistory() throws IOException {
        CachingAllocator allocator = (CachingAllocator) Allocators.of(Device.simulated("8GiB"));
        allocator.recordHistory(HistoryOptions.all());
        int[] sites = new int[BLOCKS];
        long[] blocks = new long[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            sites[i] = CallSites.intern(List.of(new Frame("/opt/torch/nn/module.py", i, "forward"),
                    new Frame("/opt/torch/nn/module.py", 1, "call"), new Frame("train.py", i / 2, "step")));
        }
        for (int step = 0; step < STEPS; step++) {
            for (int i = 0; i < BLOCKS; i++) {
                blocks[i] = allocator.allocate(512L * (1 + i * 7919 % 40_000), 0, sites[i]);
            }
            for (int i = BLOCKS - 1; i >= 0; i--) {
                allocator.free(blocks[i]);
            }
        }
        try {
            allocator.allocate(16L << 30, 0, sites[0]);
        } catch (OutOfMemoryException asMeant) {
            // a history that ends so is looked at most
        }
        Path file = folder.resolve("long.pickle");
        MemorySnapshot.of(allocator).write(file);
        return file.toString();
    }

    private String file(String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream recording = CommandTraining.class.getResourceAsStream("training/" + name)) {
            Files.copy(recording, file);
        }
        return file.toString();
    }

    private static void command(String... arguments) {
        CommandLine line = Main.commandLineFor(arguments);
        line.setOut(new PrintWriter(Writer.nullWriter()));
        line.setErr(new PrintWriter(Writer.nullWriter()));
        line.execute(arguments);
    }
}
