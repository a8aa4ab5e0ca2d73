package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** What a session begins with where names are tried: one type is imported by its name, and static members too. */
final class SessionImports {

    private SessionImports() {
    }

    static List<String> all() {
        List<String> all = new ArrayList<>(Imports.ALL);
        all.add("import " + Shape.class.getName() + ";");
        all.add("import static " + Given.class.getName() + ".*;");
        return all;
    }
}
