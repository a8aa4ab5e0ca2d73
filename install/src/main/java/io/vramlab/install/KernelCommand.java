package io.vramlab.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

import io.vramlab.kernel.KernelMain;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The kernel itself; Jupyter starts it by the kernelspec. */
@Command(name = "kernel", mixinStandardHelpOptions = true, description = "Run the kernel. Jupyter does this; there is seldom a reason to do it by hand.")
final class KernelCommand implements Callable<Integer> {

    /** What a first notebook does beside plain Java, so that its classes are in the start-up cache. */
    private static final List<String> FIRST_NOTEBOOK = List.of("var a = Tensor.randn(64, 64);",
            "var b = a.matmul(a).relu();\nb", "%track on",
            "b = Tensor.ones(8, 8);", "%track", "%memory_map", "%memory_summary", "Tensor.empty(1L << 40)",
            "%memory_timeline", "%del a b");

    @ArgGroup(multiplicity = "1")
    private Way way;

    /** A session, or the training run that install makes. */
    static final class Way {

        @Parameters(paramLabel = "CONNECTION_FILE", description = "the file in which Jupyter says where it listens")
        private Path connectionFile;

        @Option(names = "--train", hidden = true)
        private boolean train;

        @Option(names = "--train-commands", hidden = true)
        private boolean trainCommands;

        @Option(names = "--cache", hidden = true, paramLabel = "FILE", description = "make the start-up cache of these jars for this JVM: what a wheel asks for")
        private Path cache;
    }

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (way.train) {
            // as a session does
            Installation.hold();
            KernelMain.train(FIRST_NOTEBOOK);
            return Main.OK;
        }
        if (way.trainCommands) {
            CommandTraining.run();
            return Main.OK;
        }
        if (way.cache != null) {
            Path java = Path.of(System.getProperty("java.home"), "bin", "java");
            return new AotCache(java, Installation.running(), Audience.OWNER).makeIn(way.cache,
                    spec.commandLine().getErr()) ? Main.OK : Main.FAILED;
        }
        KernelMain.run(way.connectionFile);
        // the kernel ends the process itself, when it is told to
        new CountDownLatch(1).await();
        return Main.OK;
    }
}
