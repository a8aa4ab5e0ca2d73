package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Takes the kernel out of a Jupyter. */
@Command(name = "uninstall", mixinStandardHelpOptions = true, description = "Take the kernel out of a Jupyter, with all that install put there.")
final class UninstallCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private PlaceOptions options;

    @Override
    public Integer call() throws IOException {
        KernelSpec kernelSpec = options.kernelSpec();
        try {
            new InstalledKernels(options.places()).tidy();
            remove(kernelSpec);
            Folders.deleteIfEmpty(options.places().distributions());
            return Main.OK;
        } catch (FileSystemException refused) {
            throw refusal(refused);
        } catch (UncheckedIOException wrapped) {
            throw wrapped.getCause() instanceof FileSystemException refused ? refusal(refused) : wrapped;
        }
    }

    private void remove(KernelSpec kernelSpec) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (kernelSpec.distribution().isEmpty()) {
            throw absent();
        }
        try (var _ = InstallLock.on(options.places().distributions(), options.audience(),
                spec.commandLine().getErr())) {
            Path distribution = kernelSpec.distribution().orElseThrow(this::absent);
            kernelSpec.delete();
            boolean gone = new InstalledKernels(options.places()).forget(distribution);
            out.println("Removed the kernel " + options.name() + " from " + options.places().data());
            if (Files.exists(kernelSpec.folder())) {
                out.println("  left where it is: " + kernelSpec.folder() + ", with files that are not install's");
            }
            if (!gone) {
                out.println("  left for now: " + distribution
                        + ", from which a kernel runs; the next install or uninstall takes it away");
            }
        }
    }

    private CommandFailure absent() {
        return new CommandFailure("The kernel " + options.name() + " was to be removed.",
                "There is no VramLab kernel of that name in " + options.places().data() + ".",
                "See 'jupyter kernelspec list'; say where with --user, --prefix DIR or --sys-prefix, and which with --name.");
    }

    private CommandFailure refusal(FileSystemException refused) {
        return new CommandFailure("The kernel " + options.name() + " was to be removed.",
                refused.getFile() + " cannot be changed (" + Writing.reason(refused) + ").",
                "Run it as the user who installed the kernel.");
    }
}
