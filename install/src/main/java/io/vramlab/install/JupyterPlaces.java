package io.vramlab.install;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * One Jupyter data folder, and what of ours lies in and beside it.
 *
 * @param data Jupyter's data folder, such as {@code ~/.local/share/jupyter}
 */
record JupyterPlaces(Path data) {

    /**
     * The user's own data folder, by the rules of Jupyter's {@code jupyter_core.paths}: {@code JUPYTER_DATA_DIR}, else the platform's.
     *
     * @param environment the environment variables
     * @param system the value of {@code os.name}
     * @param javaHome the JVM's idea of the user's home, used when {@code HOME} is not set
     */
    static JupyterPlaces user(Map<String, String> environment, String system, String javaHome) {
        String chosen = environment.getOrDefault("JUPYTER_DATA_DIR", "");
        if (!chosen.isEmpty()) {
            return new JupyterPlaces(Path.of(chosen).toAbsolutePath());
        }
        Path home = home(environment.getOrDefault("HOME", javaHome));
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return new JupyterPlaces(home.resolve("Library/Jupyter"));
        }
        if (name.startsWith("windows")) {
            String roaming = environment.getOrDefault("APPDATA", "");
            return new JupyterPlaces(roaming.isEmpty() ? home.resolve(".jupyter/data") : Path.of(roaming, "jupyter"));
        }
        String shared = environment.getOrDefault("XDG_DATA_HOME", "");
        return new JupyterPlaces(
                (shared.isEmpty() ? home.resolve(".local/share") : Path.of(shared).toAbsolutePath())
                        .resolve("jupyter"));
    }

    /** A home from which the paths of a kernelspec, which are absolute, can be told. */
    private static Path home(String home) {
        if (!Path.of(home).isAbsolute()) {
            throw new CommandFailure("The user's own Jupyter data folder is looked for in the folder that HOME names.",
                    home.isEmpty() ? "HOME is empty." : "HOME is " + home + ", which is no full path.",
                    "Set HOME or JUPYTER_DATA_DIR to a folder, or say --prefix DIR.");
        }
        return Path.of(home);
    }

    /** The user's own data folder on this machine. */
    static JupyterPlaces user() {
        return user(System.getenv(), System.getProperty("os.name"), System.getProperty("user.home"));
    }

    /** The data folder of everything installed under a prefix. */
    static JupyterPlaces under(Path prefix) {
        return new JupyterPlaces(prefix.toAbsolutePath().normalize().resolve("share/jupyter"));
    }

    /** The folder of the kernelspec of that name. */
    Path kernel(String name) {
        return data.resolve("kernels").resolve(name);
    }

    /** Where distributions lie, each in a folder named by its hash. */
    Path distributions() {
        return data.resolveSibling("vramlab");
    }
}
