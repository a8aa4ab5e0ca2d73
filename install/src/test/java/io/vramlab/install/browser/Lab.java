package io.vramlab.install.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** JupyterLab on a folder, with settings of its own and no kernel. */
public final class Lab implements AutoCloseable {

    private final Process process;
    private final String address;

    /**
     * Starts it.
     *
     * @param jupyter
     *            the command {@code jupyter} of an environment with JupyterLab
     * @param folder
     *            what it shows
     * @param theme
     *            {@code Light} or {@code Dark}
     */
    public Lab(String jupyter, Path folder, String theme) throws IOException {
        Path home = Files.createTempDirectory("vramlab-lab-");
        setting(home, "apputils-extension/themes", "{\"theme\": \"JupyterLab " + theme + "\"}");
        setting(home, "apputils-extension/notification", "{\"fetchNews\": \"false\", \"checkForUpdates\": false}");
        // all cells drawn, also those far below
        setting(home, "notebook-extension/tracker",
                "{\"windowingMode\": \"none\", \"autoStartDefaultKernel\": false, \"kernelShutdown\": true}");
        int port = Browser.freePort();
        ProcessBuilder builder = new ProcessBuilder(jupyter, "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
                "--port=" + port, "--IdentityProvider.token=", "--ServerApp.root_dir=" + folder);
        builder.environment().put("JUPYTERLAB_SETTINGS_DIR", home.resolve("settings").toString());
        for (String place : new String[]{"JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR",
                "JUPYTERLAB_WORKSPACES_DIR"}) {
            builder.environment().put(place, home.resolve(place).toString());
        }
        process = builder.redirectErrorStream(true).redirectOutput(home.resolve("log").toFile()).start();
        address = "http://127.0.0.1:" + port + "/lab";
        Browser.await("JupyterLab", () -> Browser.answers(address));
    }

    private static void setting(Path home, String plugin, String json) throws IOException {
        Path file = home.resolve("settings/@jupyterlab").resolve(plugin + ".jupyterlab-settings");
        Files.createDirectories(file.getParent());
        Files.writeString(file, json);
    }

    /** Where a file of the folder is opened. */
    public String of(String file) {
        return address + "/tree/" + file + "?reset";
    }

    @Override
    public void close() {
        process.destroy();
    }
}
