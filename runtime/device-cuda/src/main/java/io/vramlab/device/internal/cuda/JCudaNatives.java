package io.vramlab.device.internal.cuda;

import io.vramlab.device.DeviceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import jcuda.driver.JCudaDriver;

/**
 * Loads JCuda's native library from a folder of our own. Left alone, JCuda unpacks it under a fixed name into the common
 * temporary folder and loads whatever file of that name is there already, be it another user's.
 */
final class JCudaNatives {

    private static final String TEMPORARY_FOLDER = "java.io.tmpdir";

    private JCudaNatives() {
    }

    /**
     * Loads it, once for the process.
     *
     * @throws DeviceException
     *             if it cannot be unpacked or loaded
     */
    static synchronized void load() {
        String before = System.getProperty(TEMPORARY_FOLDER);
        try {
            Path folder = privateFolder();
            folder.toFile().deleteOnExit();
            // the one setting that JCuda's loader reads; a folder made for this process alone cannot hold a foreign file
            System.setProperty(TEMPORARY_FOLDER, folder.toString());
            JCudaDriver.setExceptionsEnabled(false);
            try (var files = Files.list(folder)) {
                files.forEach(f -> f.toFile().deleteOnExit());
            }
        } catch (IOException | LinkageError e) {
            throw new DeviceException("JCuda's native library was to be unpacked and loaded; that failed: "
                    + firstLine(e) + ". Check that your cache folder can be written and allows programs to run.", e);
        } finally {
            System.setProperty(TEMPORARY_FOLDER, before);
        }
    }

    /** In the user's cache where there is one, because the common temporary folder may forbid running programs. */
    private static Path privateFolder() throws IOException {
        boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows");
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base = cache != null ? Path.of(cache) : Path.of(System.getProperty("user.home"), ".cache");
        if (!windows) {
            try {
                return Files.createTempDirectory(Files.createDirectories(base.resolve("vramlab")), "natives");
            } catch (IOException e) {
                // a home that cannot be written: the temporary folder is the other choice
                return Files.createTempDirectory("vramlab-natives");
            }
        }
        return Files.createTempDirectory("vramlab-natives");
    }

    private static String firstLine(Throwable t) {
        return String.valueOf(t.getMessage()).lines().findFirst().orElse(t.getClass().getSimpleName());
    }
}
