package io.vramlab.install;

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
    public Integer call() {
        KernelSpec kernelSpec = options.kernelSpec();
        Path distribution = kernelSpec.distribution()
                .orElseThrow(() -> new CommandFailure("The kernel " + options.name() + " was to be removed.",
                        "There is no VramLab kernel of that name in " + options.places().data() + ".",
                        "See 'jupyter kernelspec list'; say where with --user, --prefix DIR or --sys-prefix, and which with --name."));
        Folders.delete(kernelSpec.folder());
        new InstalledKernels(options.places()).forget(distribution);
        spec.commandLine().getOut()
                .println("Removed the kernel " + options.name() + " from " + options.places().data());
        return Main.OK;
    }
}
