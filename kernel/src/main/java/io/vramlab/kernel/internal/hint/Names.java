package io.vramlab.kernel.internal.hint;

import java.util.List;
import java.util.Map;

/** What cells can name; asked only after the compiler has refused one. */
public interface Names {

    /** The imports in force: {@code java.util.*}, {@code java.nio.file.Path}; no static ones. */
    List<String> imports();

    /** The classes that cells declared. */
    List<String> types();

    /** Of classes that cells declared, the name of the one that they extend, where they do. */
    Map<String, String> above();

    /** What cells declared and cannot be used yet, with what it waits for: {@code variable F}. */
    Map<String, String> waiting();

    /** The methods that cells declared. */
    List<String> methods();

    /** The variables of cells, with their types. */
    Map<String, String> variables();

    /** The loader of the classes that are imported. */
    ClassLoader loader();

    /** The full names of the classes on the class path that have a simple name. */
    List<String> libraryClasses(String simpleName);
}
