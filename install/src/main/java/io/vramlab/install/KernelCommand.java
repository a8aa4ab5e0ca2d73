package io.vramlab.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

import io.vramlab.kernel.KernelMain;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The kernel itself; Jupyter starts it by the kernelspec. */
@Command(name = "kernel", mixinStandardHelpOptions = true, description = "Run the kernel. Jupyter does this; there is seldom a reason to do it by hand.")
final class KernelCommand implements Callable<Integer> {

    @Parameters(paramLabel = "CONNECTION_FILE", description = "the file in which Jupyter says where it listens")
    private Path connectionFile;

    @Override
    public Integer call() throws IOException, InterruptedException {
        KernelMain.run(connectionFile);
        // the kernel ends the process itself, when it is told to
        new CountDownLatch(1).await();
        return Main.OK;
    }
}
