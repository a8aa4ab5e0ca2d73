package io.vramlab.kernel;

import io.vramlab.kernel.spi.SessionDefaults;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The imports that every session begins with: those of the jshell tool, the notebook's functions, {@code println(x)} as in
 * the JDK's compact programs, and the plugged-in.
 */
final class Imports {

    private static final List<String> OWN = List.of("import java.io.*;", "import java.math.*;", "import java.net.*;",
            "import java.nio.file.*;", "import java.util.*;", "import java.util.concurrent.*;",
            "import java.util.function.*;", "import java.util.regex.*;", "import java.util.stream.*;",
            "import io.vramlab.kernel.spi.Progress;", "import static io.vramlab.kernel.spi.Notebook.*;",
            "import static java.lang.IO.*;");

    private Imports() {
    }

    static List<String> all() {
        List<String> all = new ArrayList<>(OWN);
        ServiceLoader.load(SessionDefaults.class, Imports.class.getClassLoader())
                .forEach(each -> all.addAll(each.imports()));
        return all;
    }
}
