package io.vramlab.kernel.internal.eval;

import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of the classes that JShell makes: one <em>wrapper</em> for a snippet, {@code REPL.$JShell$7}, and nested in it
 * what the snippet declares, {@code REPL.$JShell$7$Net}. A wrapper that could not keep its class has letters behind the
 * number, overloads of a method share one ({@code $JShell$7B_9}).
 */
public final class Wrappers {

    /** The package of cells, with its dot. */
    public static final String PACKAGE = "REPL.";

    private static final String NAME = "\\$JShell\\$[0-9A-Z_]+";
    private static final Pattern CLASS = Pattern.compile("(?:REPL\\.)?(" + NAME + ")(?:\\$.*)?");
    private static final Pattern MENTIONED = Pattern.compile("REPL/(" + NAME + ")");

    private Wrappers() {
    }

    /** The wrapper, without its package, that a class is or is nested in. */
    public static Optional<String> of(String className) {
        Matcher name = CLASS.matcher(className);
        return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
    }

    /** The wrappers of all classes that a class file names, its own included. */
    static Set<String> mentioned(byte[] bytes) {
        Set<String> names = new HashSet<>();
        for (PoolEntry each : ClassFile.of().parse(bytes).constantPool()) {
            if (each instanceof Utf8Entry text && text.stringValue().contains("REPL/")) {
                Matcher matcher = MENTIONED.matcher(text.stringValue());
                while (matcher.find()) {
                    names.add(matcher.group(1));
                }
            }
        }
        return names;
    }
}
