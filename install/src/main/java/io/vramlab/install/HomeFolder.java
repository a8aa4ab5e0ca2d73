package io.vramlab.install;

import java.nio.file.Path;

/**
 * The user's folder. The JVM takes it from the user database and does not look at {@code HOME}, as shells, Python and Jupyter do
 * first; in a container whose user is in no database, or on a hub that moves homes, the two differ.
 */
final class HomeFolder {

    private HomeFolder() {
    }

    /** From now on {@code user.home} is what {@code HOME} says, if that is an absolute path; Windows has none. */
    static void asJupyterSees(String home) {
        if (home != null && Path.of(home).isAbsolute()) {
            System.setProperty("user.home", home);
        }
    }
}
