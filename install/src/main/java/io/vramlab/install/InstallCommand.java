package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the kernel known to a Jupyter. */
@Command(name = "install", mixinStandardHelpOptions = true, description = "Make the kernel known to a Jupyter. Doing it again replaces what was there.")
final class InstallCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private PlaceOptions options;

    @Option(names = "--no-aot", description = "make no ahead-of-time cache: installing is quicker and the kernel starts slower")
    private boolean withoutCache;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        KernelSpec kernelSpec = options.kernelSpec();
        Optional<Path> before = kernelSpec.distribution();
        try {
            Path distributions = options.places().distributions();
            boolean there = Files.exists(distributions);
            Files.createDirectories(distributions);
            if (options.usersOwn()) {
                Permissions.ownersOnly(distributions);
            } else if (!there) {
                Permissions.ownerChanges(distributions);
            }
            Distribution copy = Distribution.running().copyUnder(distributions);
            Path java = Path.of(System.getProperty("java.home"), "bin", "java");
            Optional<Path> cache = withoutCache
                    ? Optional.empty()
                    : new AotCache(java, copy).make(spec.commandLine().getErr());
            kernelSpec.write(java, copy, cache);
            before.filter(old -> !old.equals(copy.folder()))
                    .ifPresent(old -> new InstalledKernels(options.places()).forget(old));
            out.println("Installed the kernel " + options.name() + ":");
            out.println("  kernelspec    " + kernelSpec.folder());
            out.println("  distribution  " + copy.folder());
            out.println("  java          " + java);
            out.println("  start-up      " + cache.map(file -> "cached in " + file.getFileName()).orElse("not cached"));
            return Main.OK;
        } catch (FileSystemException refused) {
            throw new CommandFailure("The kernel was to be installed in " + options.places().data() + ".",
                    refused.getFile() + " cannot be written ("
                            + refused.getClass().getSimpleName().replace("Exception", "") + ").",
                    "Use --user, or --prefix DIR with a folder of yours.");
        }
    }
}
