package io.vramlab.kernel.judge;

import java.util.List;

/** What every judged session begins with. */
final class Imports {

    static final List<String> ALL = List.of("import java.io.*;", "import java.math.*;", "import java.util.*;",
            "import java.util.concurrent.*;", "import java.util.function.*;", "import java.util.regex.*;",
            "import java.util.stream.*;");

    private Imports() {
    }
}
