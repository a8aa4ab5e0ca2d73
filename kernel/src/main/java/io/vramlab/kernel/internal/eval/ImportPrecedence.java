package io.vramlab.kernel.internal.eval;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;

/**
 * A name that the user declares or imports wins over one that every session imports. In Java a declaration hides a name
 * imported on demand, but in JShell only from the moment at which it is complete: {@code sealed interface Shape permits
 * Circle} waits for {@code Circle}, and until then {@code Shape} would be another package's. So an import on demand that
 * has a name which the user declares gives way to imports of the other names, one by one, as they occur.
 */
final class ImportPrecedence {

    private static final String IDENTIFIER = "(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)";
    private static final Pattern TYPE = Pattern
            .compile("(?:\\bclass|\\binterface|\\benum|\\brecord)\\s+" + IDENTIFIER);
    private static final Pattern METHOD = Pattern
            .compile("[\\w>\\]]\\s+" + IDENTIFIER + "\\s*\\([^;{}()]*\\)\\s*(?:throws[\\w.,\\s]+)?\\{");
    private static final Pattern ON_DEMAND = Pattern.compile("import\\s+([\\w.]+)\\.\\*\\s*;?");

    private final JShell shell;
    private final Set<String> defaults;
    private final ClassLoader loader;
    private final Consumer<String> declare;
    private final Consumer<ImportSnippet> drop;
    /** Packages whose import on demand gave way. */
    private final Set<String> dissolved = new LinkedHashSet<>();
    /** Packages that the user imported on demand. */
    private final Set<String> chosen = new LinkedHashSet<>();
    /** Imports of single names that gave way to a declaration, which may yet be refused. */
    private final Set<String> yielded = new LinkedHashSet<>();
    /** What names meant that the user has declared since. */
    private final Map<String, String> fullNames = new HashMap<>();

    /**
     * Watches over a session's imports.
     *
     * @param defaults
     *            the import declarations that the session begins with
     * @param loader
     *            finds what they name
     * @param declare
     *            evaluates an import declaration
     * @param drop
     *            takes one back
     */
    ImportPrecedence(JShell shell, List<String> defaults, ClassLoader loader, Consumer<String> declare,
            Consumer<ImportSnippet> drop) {
        this.shell = shell;
        this.defaults = Set.copyOf(defaults);
        this.loader = loader;
        this.declare = declare;
        this.drop = drop;
    }

    /** Whether this code seems to declare a type or a method. */
    static boolean declaresCode(String code) {
        String text = Comments.blanked(code);
        return TYPE.matcher(text).find() || METHOD.matcher(text).find();
    }

    /** Makes way for the names that this code declares; to be called before JShell sees it. */
    void claim(String code) {
        String text = Comments.blanked(code);
        Set<String> types = names(TYPE, text);
        types.removeIf(this::isDeclared);
        Set<String> methods = names(METHOD, text);
        if (types.isEmpty() && methods.isEmpty()) {
            return;
        }
        for (ImportSnippet each : shell.imports().filter(one -> shell.status(one).isDefined()).toList()) {
            boolean ours = defaults.contains(each.source());
            if (each.isStatic()) {
                if (ours && onDemand(each)) {
                    claimMethods(each, methods);
                }
            } else if (!onDemand(each)) {
                if (types.contains(each.name())) {
                    yielded.add(each.source());
                    fullNames.put(each.name(), each.fullname());
                    drop.accept(each);
                }
            } else if (ours && types.stream().anyMatch(name -> exists(owner(each), name))) {
                dissolve(each, owner(each), types);
            }
        }
    }

    private static Set<String> names(Pattern pattern, String text) {
        Set<String> names = new LinkedHashSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static boolean onDemand(ImportSnippet each) {
        return each.fullname().endsWith(".*");
    }

    private static String owner(ImportSnippet each) {
        return each.fullname().substring(0, each.fullname().lastIndexOf('.'));
    }

    /** Whether an import on demand of that package has that name. */
    private boolean exists(String home, String name) {
        return loader.getResource(home.replace('.', '/') + "/" + name + ".class") != null
                && type(home + "." + name).map(each -> Modifier.isPublic(each.getModifiers())).orElse(true);
    }

    private void dissolve(ImportSnippet each, String home, Set<String> claimed) {
        Set<String> used = new HashSet<>();
        shell.snippets().filter(other -> shell.status(other).isActive())
                .forEach(other -> used.addAll(ImportsInForce.words(other.source())));
        used.removeAll(claimed);
        claimed.stream().filter(name -> exists(home, name)).forEach(name -> fullNames.put(name, home + "." + name));
        dissolved.add(home);
        used.forEach(name -> importFrom(home, name));
        drop.accept(each);
    }

    private void claimMethods(ImportSnippet each, Set<String> methods) {
        Set<String> own = new LinkedHashSet<>();
        for (Method method : type(owner(each)).map(Class::getMethods).orElse(new Method[0])) {
            own.add(method.getName());
        }
        if (!Collections.disjoint(own, methods)) {
            own.removeAll(methods);
            own.removeAll(Arrays.stream(Object.class.getMethods()).map(Method::getName).toList());
            own.forEach(name -> declare.accept("import static %s.%s;".formatted(owner(each), name)));
            drop.accept(each);
        }
    }

    /** The class that an import writes so; nested ones have another name when they are loaded. */
    private Optional<Class<?>> type(String written) {
        String name = written;
        while (true) {
            try {
                return Optional.of(Class.forName(name, false, loader));
            } catch (ClassNotFoundException e) {
                int dot = name.lastIndexOf('.');
                if (dot < 0) {
                    return Optional.empty();
                }
                name = name.substring(0, dot) + "$" + name.substring(dot + 1);
            }
        }
    }

    /** Whether {@link #admit} has anything to do; notes what the user imports on demand. */
    boolean concerns(String code) {
        if (code.contains("import")) {
            Matcher imported = ON_DEMAND.matcher(Comments.blanked(code));
            while (imported.find()) {
                if (!isOurs(imported.group(1))) {
                    chosen.add(imported.group(1));
                }
            }
        }
        return !dissolved.isEmpty() || !chosen.isEmpty();
    }

    /** Imports what this code names of packages that are no longer imported on demand, or that the user prefers. */
    void admit(String code) {
        if (dissolved.isEmpty() && chosen.isEmpty()) {
            return;
        }
        Set<String> words = ImportsInForce.words(code);
        words.removeAll(names(TYPE, Comments.blanked(code)));
        for (String name : words) {
            if (Character.isUpperCase(name.charAt(0)) && !isKnown(name)) {
                Optional<String> home = chosen.stream().filter(each -> exists(each, name) && contested(name))
                        .findFirst()
                        .or(() -> dissolved.stream().filter(each -> exists(each, name)).findFirst());
                home.ifPresent(each -> importFrom(each, name));
            }
        }
    }

    private boolean isOurs(String home) {
        return defaults.contains("import " + home + ".*;");
    }

    private boolean isDeclared(String name) {
        return shell.types().anyMatch(each -> each.name().equals(name) && !Declarations.holdsPlace(each));
    }

    private boolean isKnown(String name) {
        return isDeclared(name)
                || shell.imports().anyMatch(each -> each.name().equals(name) && shell.status(each).isDefined());
    }

    private boolean contested(String name) {
        return defaults.stream().map(ON_DEMAND::matcher).filter(Matcher::matches)
                .anyMatch(each -> exists(each.group(1), name));
    }

    private void importFrom(String home, String name) {
        if (exists(home, name) && !isKnown(name)) {
            declare.accept("import %s.%s;".formatted(home, name));
        }
    }

    /** The type with the full names of what the user has declared since: that of a variable of before. */
    String qualified(String type) {
        String text = type;
        for (Map.Entry<String, String> each : fullNames.entrySet()) {
            text = text.replaceAll("(?<![\\w.])" + each.getKey() + "\\b", Matcher.quoteReplacement(each.getValue()));
        }
        return text;
    }

    /** Takes back what made way for a declaration that did not come to be. */
    void settle() {
        for (String each : List.copyOf(yielded)) {
            String name = each.replaceAll(".*\\.(\\w+)\\s*;?", "$1");
            if (!isKnown(name)) {
                fullNames.remove(name);
                declare.accept(each);
            }
        }
        yielded.clear();
    }
}
