package io.vramlab.kernel;

import io.github.spencerpark.jupyter.kernel.KernelConnectionProperties;
import io.vramlab.kernel.internal.channel.ConnectionFile;
import io.vramlab.kernel.internal.history.History;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.logging.Logger;

/** Starts a kernel. */
public final class KernelMain {

    private static final String PARENT = "JPY_PARENT_PID";
    /** Who starts a kernel for one run sets it to {@value #ONCE}: the file, which holds the key, goes when it has been read. */
    private static final String CONNECTION_FILE = "VRAMLAB_CONNECTION_FILE";
    private static final String ONCE = "once";
    private static final int HALT_MILLIS = 2000;
    /**
     * Exit status of a kernel that found an address of its connection file taken. A frontend names ports that were free when
     * it looked; whoever starts kernels does well to name others then.
     */
    public static final int ADDRESS_TAKEN = 98;
    private static final int TRAININGS = 3;

    private KernelMain() {
    }

    /**
     * Runs a kernel until it is told to shut down; then the process ends. Returns at once: the kernel's threads keep the
     * process alive.
     *
     * @param connectionFile
     *            the file in which the frontend gives addresses and key
     * @throws IOException
     *             if it cannot be read, or the kernel cannot listen there
     */
    public static void run(Path connectionFile) throws IOException {
        logToTerminal();
        KernelConnectionProperties connection = ConnectionFile.read(connectionFile);
        if (isOnce()) {
            Files.deleteIfExists(connectionFile);
        }
        Kernel kernel;
        try {
            kernel = new Kernel(connection, History.defaultPath(), KernelMain::exit);
        } catch (BindException taken) {
            System.err.println(
                    ("[vramlab] The kernel was to listen at %s. Another process does. Start the kernel again: its "
                            + "frontend then names another port.").formatted(taken.getMessage()));
            exit(ADDRESS_TAKEN);
            return;
        }
        kernel.start();
        endWithParent(kernel);
    }

    /**
     * Runs a kernel that answers a client in this same process, through varied cells, completions and errors, and returns:
     * what a JVM started with {@code -XX:AOTCacheOutput} then keeps is what a kernel needs. Leaves no trace in the history.
     *
     * @param more
     *            cells to run beside its own, for what else a first notebook will use
     * @throws IOException
     *             if no ports are free or the kernel does not end
     */
    public static void train(List<String> more) throws IOException, InterruptedException {
        logToTerminal();
        for (int left = TRAININGS; left > 0; left--) {
            try {
                new AotTraining().run(more);
                return;
            } catch (BindException taken) {
                if (left == 1) {
                    throw taken;
                }
            }
        }
    }

    /** The kernel alone, for trying it without the installed command: {@code KernelMain CONNECTION_FILE} or {@code KernelMain --train}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 1 && arguments[0].equals("--train")) {
            train(List.of());
        } else {
            run(Path.of(arguments[0]));
        }
    }

    private static boolean isOnce() {
        return ONCE.equals(System.getenv(CONNECTION_FILE));
    }

    /** A frontend that was killed sends no shutdown request; its process id is in {@value #PARENT}. */
    private static void endWithParent(Kernel kernel) {
        String parent = System.getenv(PARENT);
        if (parent != null && parent.matches("[1-9]\\d{0,9}")) {
            Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(parent));
            process.ifPresent(each -> each.onExit().thenRun(kernel::end));
            if (process.isEmpty() && isOnce()) {
                kernel.end(); // it ended while this process was starting; elsewhere it may be another container's
            }
        }
    }

    /** One line per event to the process's standard error, taken now, before cells' streams replace it. */
    private static void logToTerminal() {
        System.setProperty("java.util.logging.SimpleFormatter.format", "[vramlab %1$tT %4$s] %5$s%n");
        Logger.getLogger("").getHandlers();
    }

    private static void exit(int status) {
        // user code may have left shutdown hooks that hang; a frontend that restarts is waiting
        Thread.ofPlatform().name("halt").daemon().start(() -> {
            try {
                Thread.sleep(HALT_MILLIS);
                Runtime.getRuntime().halt(status);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        System.exit(status);
    }
}
