package io.vramlab.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of install and uninstall that say where, and under which name. */
final class PlaceOptions {

    /** Jupyter's own rule for kernel names. */
    private static final String ALLOWED = "[A-Za-z0-9._-]+";

    @ArgGroup
    private Place place = new Place();

    @Option(names = "--name", paramLabel = "NAME", defaultValue = "vramlab", description = "the kernel's name (default: ${DEFAULT-VALUE})")
    private String name;

    /** One of three, or the first. */
    static final class Place {

        @Option(names = "--user", description = "in the user's own Jupyter data folder (the default)")
        private boolean user;

        @Option(names = "--prefix", paramLabel = "DIR", description = "in DIR/share/jupyter")
        private Path prefix;

        @Option(names = "--sys-prefix", description = "in the environment of the python on the path (a venv or conda environment)")
        private boolean sysPrefix;
    }

    /** The chosen Jupyter data folder. */
    JupyterPlaces places() {
        if (place.prefix != null) {
            return JupyterPlaces.under(place.prefix);
        }
        return place.sysPrefix ? JupyterPlaces.under(pythonPrefix()) : JupyterPlaces.user();
    }

    /** For whom it is: in the user's own place nobody else needs to look. */
    Audience audience() {
        return place.prefix == null && !place.sysPrefix ? Audience.OWNER : Audience.ALL;
    }

    /** The kernelspec of the chosen name in the chosen place. */
    KernelSpec kernelSpec() {
        if (!name.matches(ALLOWED) || name.equals(".") || name.equals("..")) {
            throw new CommandFailure("--name " + name + " was asked for.",
                    "Jupyter takes ASCII letters, digits, '.', '_' and '-' in kernel names; '.' and '..' are folders of others.",
                    "Choose another name, for instance vramlab-2.");
        }
        return new KernelSpec(places().kernel(name));
    }

    /** The chosen name. */
    String name() {
        return name;
    }

    private static Path pythonPrefix() {
        for (String python : new String[]{"python3", "python"}) {
            try {
                Process process = new ProcessBuilder(python, "-c", "import sys; print(sys.prefix)")
                        .redirectError(ProcessBuilder.Redirect.DISCARD).start();
                String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
                if (process.waitFor() == 0) {
                    return Path.of(printed);
                }
            } catch (IOException absent) {
                continue; // not on the path under this name
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new CommandFailure("--sys-prefix was asked for.",
                "There is no python3 and no python on the path, so there is no sys.prefix.",
                "Activate the environment first, or name its folder with --prefix DIR.");
    }
}
