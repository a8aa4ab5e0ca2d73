package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;

/** Where Jupyter looks, by the rules of its jupyter_core.paths. */
class JupyterPlacesTest {

    private static String user(String system, Map<String, String> environment) {
        return JupyterPlaces.user(environment, system, "/jvm").data().toString();
    }

    @Test
    void linuxUsesTheLocalShareFolder() {
        assertEquals("/home/ada/.local/share/jupyter", user("Linux", Map.of("HOME", "/home/ada")));
    }

    @Test
    void linuxFollowsTheDesktopStandardWhenItIsSet() {
        assertEquals("/data/jupyter", user("Linux", Map.of("HOME", "/home/ada", "XDG_DATA_HOME", "/data")));
    }

    @Test
    void macUsesTheLibraryFolder() {
        assertEquals("/Users/ada/Library/Jupyter", user("Mac OS X", Map.of("HOME", "/Users/ada")));
    }

    @Test
    void windowsUsesTheRoamingFolder() {
        assertEquals("/roaming/jupyter", user("Windows 11", Map.of("APPDATA", "/roaming")));
    }

    @Test
    void jupyterDataDirWinsEverywhere() {
        Map<String, String> environment = Map.of("HOME", "/home/ada", "XDG_DATA_HOME", "/data", "JUPYTER_DATA_DIR",
                "/chosen");
        assertEquals("/chosen", user("Linux", environment));
        assertEquals("/chosen", user("Mac OS X", environment));
    }

    @Test
    void theHomeOfTheEnvironmentWinsOverTheJvms() {
        assertEquals("/jvm/.local/share/jupyter", user("Linux", Map.of()));
        assertEquals("/home/ada/.local/share/jupyter", user("Linux", Map.of("HOME", "/home/ada")));
    }

    @Test
    void aPrefixHoldsKernelsAndDistributionsSideBySide() {
        JupyterPlaces places = JupyterPlaces.under(Path.of("/opt/x/../env"));
        assertEquals(Path.of("/opt/env/share/jupyter/kernels/vramlab"), places.kernel("vramlab"));
        assertEquals(Path.of("/opt/env/share/vramlab"), places.distributions());
    }

    @Test
    void theHomeFolderIsTheOneOfTheEnvironmentAsForJupyter() {
        String before = System.getProperty("user.home");
        try {
            HomeFolder.asJupyterSees("/somewhere/else");
            assertEquals("/somewhere/else", System.getProperty("user.home"));
            HomeFolder.asJupyterSees(null);
            HomeFolder.asJupyterSees("relative");
            assertEquals("/somewhere/else", System.getProperty("user.home"));
        } finally {
            System.setProperty("user.home", before);
        }
    }
}
