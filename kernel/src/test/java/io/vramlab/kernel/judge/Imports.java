package io.vramlab.kernel.judge;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What every judged session begins with. */
final class Imports {

    static final List<String> ALL = List.of("import java.io.*;", "import java.math.*;", "import java.util.*;",
            "import java.util.concurrent.*;", "import java.util.function.*;", "import java.util.regex.*;",
            "import java.util.stream.*;");

    private static final Pattern TYPE = Pattern.compile("\\b\\p{Lu}\\w*");

    private Imports() {
    }

    /** Those that have a type of a name that occurs: JShell takes its time over each. */
    static List<String> neededBy(List<String> cells) {
        Set<String> names = cells.stream().flatMap(each -> TYPE.matcher(each).results()).map(MatchResult::group)
                .collect(Collectors.toSet());
        return ALL.stream().filter(each -> names.stream().anyMatch(name -> exists(packageOf(each) + name))).toList();
    }

    private static String packageOf(String declaration) {
        return declaration.substring("import ".length(), declaration.length() - "*;".length());
    }

    private static boolean exists(String type) {
        try {
            Class.forName(type, false, null);
            return true;
        } catch (ClassNotFoundException none) {
            return false;
        }
    }
}
