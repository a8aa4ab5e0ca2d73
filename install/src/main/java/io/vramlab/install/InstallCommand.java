package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.vramlab.device.ByteSize;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the kernel known to a Jupyter. */
@Command(name = "install", mixinStandardHelpOptions = true, description = "Make the kernel known to a Jupyter. Doing it again replaces what was there.")
final class InstallCommand implements Callable<Integer> {

    private static final long LEAST_BYTES = 64L << 20;

    @Spec
    private CommandSpec spec;

    @Mixin
    private PlaceOptions options;

    @Option(names = "--no-aot", description = "make no ahead-of-time cache: installing is quicker and the kernel starts slower")
    private boolean withoutCache;

    @Option(names = "--max-heap", paramLabel = "SIZE", description = "what a kernel may take for Java's own objects, for instance 384MiB (default: a quarter of the machine or of its control group)")
    private String maxHeap = "";

    @Option(names = "--max-device-memory", paramLabel = "SIZE", description = "what a kernel's simulated GPUs may touch of the host's memory, however large they say they are "
            + "(default: what the kernel's control group leaves beside the heap; without one, no limit)")
    private String maxDeviceMemory = "";

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        KernelSpec kernelSpec = options.kernelSpec();
        List<String> ceilings = new ArrayList<>();
        if (!maxHeap.isEmpty()) {
            ceilings.add("-Xmx" + size("--max-heap", maxHeap));
        }
        if (!maxDeviceMemory.isEmpty()) {
            ceilings.add("-Dvramlab.host.limit=" + size("--max-device-memory", maxDeviceMemory));
        }
        Audience audience = options.audience();
        Path distributions = options.places().distributions();
        try (var _ = InstallLock.on(distributions, audience, err)) {
            if (kernelSpec.isSomeoneElses()) {
                throw new CommandFailure("The kernel was to be installed as " + options.name() + ".",
                        kernelSpec.folder() + " is another kernel, not one that this command installed.",
                        "Choose another name with --name, or remove that kernel first: jupyter kernelspec remove "
                                + options.name() + ", or pip uninstall vramlab when pip installed it.");
            }
            InstalledKernels kernels = new InstalledKernels(options.places());
            kernels.tidyAfterKilledInstalls();
            Optional<Path> before = kernelSpec.distribution();
            if (audience == Audience.OWNER) {
                Permissions.ownersOnly(distributions);
            }
            Installation copy = Installation.running().copyUnder(distributions, audience);
            Path java = Path.of(System.getProperty("java.home"), "bin", "java");
            Optional<Path> cache = withoutCache ? Optional.empty() : new AotCache(java, copy, audience).make(err);
            kernelSpec.write(java, copy, cache, ceilings, audience);
            before.filter(old -> !old.equals(copy.folder())).ifPresent(kernels::forget);
            kernels.tidy();
            out.println("Installed the kernel " + options.name() + ":");
            out.println("  kernelspec    " + kernelSpec.folder());
            out.println("  distribution  " + copy.folder());
            out.println("  java          " + java);
            out.println("  start-up      " + cache.map(file -> "cached in " + file.getFileName()).orElse("not cached"));
            return Main.OK;
        } catch (FileSystemException refused) {
            throw new CommandFailure("The kernel was to be installed in " + options.places().data() + ".",
                    refused.getFile() + " cannot be written (" + Writing.reason(refused) + ").",
                    "Choose a folder of yours that has room for it: --prefix DIR, --user, or --sys-prefix in a virtual environment.");
        }
    }

    private static long size(String option, String text) {
        return ByteSize.parse(text).filter(bytes -> bytes >= LEAST_BYTES)
                .orElseThrow(() -> new CommandFailure(option + " " + text + " was asked for.",
                        "That is no size of at least 64 MiB.", "Write a size such as 384MiB or 1GiB."));
    }
}
