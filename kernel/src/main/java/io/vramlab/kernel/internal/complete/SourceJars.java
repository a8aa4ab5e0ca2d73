package io.vramlab.kernel.internal.complete;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Jars of sources beside the jars of classes: {@code name-sources.jar} beside {@code name.jar}, as Maven names them. JShell
 * reads doc comments of the JDK's own sources only, and only the accelerator can tell it of others.
 */
final class SourceJars {

    private static final Logger LOG = Logger.getLogger(SourceJars.class.getName());
    private static final String SUFFIX = "-sources.jar";

    private final Set<Path> jars = new LinkedHashSet<>(shipped());

    /** The sources that lie beside the jar that the kernel comes from. */
    private static List<Path> shipped() {
        List<Path> found = new ArrayList<>();
        CodeSource source = SourceJars.class.getProtectionDomain().getCodeSource();
        try {
            Path folder = Path.of(source.getLocation().toURI()).getParent();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
                files.forEach(found::add);
            }
        } catch (URISyntaxException | IOException e) {
            LOG.log(Level.FINE, "no sources beside {0}: {1}", new Object[]{source.getLocation(), e.toString()});
        }
        return found;
    }

    /** The sources beside a jar of classes, if there are any. */
    private static Optional<Path> beside(String jar) {
        return jar.endsWith(".jar")
                ? Optional.of(Path.of(jar.substring(0, jar.length() - ".jar".length()) + SUFFIX))
                        .filter(Files::isReadable)
                : Optional.empty();
    }

    /**
     * All of them.
     *
     * @param added
     *            the jars that the session has added to its class path
     */
    Set<Path> all(List<String> added) {
        added.forEach(each -> beside(each).ifPresent(jars::add));
        return jars;
    }
}
