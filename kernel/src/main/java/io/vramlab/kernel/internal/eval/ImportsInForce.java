package io.vramlab.kernel.internal.eval;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.PersistentSnippet;

/** The import declarations with which code of cells is compiled: the user's own, and one for each declaration of a cell. */
final class ImportsInForce {

    private static final Pattern WORD = Pattern
            .compile("\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*");
    private static final Pattern SINGLE_IMPORT = Pattern
            .compile("import\\s.*\\.\\s*(" + WORD + ")\\s*;");

    /** A package, with the dot behind it, and the simple name of a type in it. */
    private static final Pattern QUALIFIED = Pattern
            .compile("(?<![\\w.$])((?:[\\p{Ll}_]\\w*\\.)+)(\\p{Lu}\\w*)");
    private static final Pattern WRAPPER = Pattern.compile("\\bREPL\\.\\$JShell\\$\\w+\\.");

    private final JShell shell;
    /** Import declarations of names that cannot be told from them: {@code import java.util.*}. */
    private String imports;
    /** By simple name, the import declarations of that name. */
    private Map<String, String> named;
    /** What JShell is yet to be told, by name; those on demand without one. */
    private final List<Map.Entry<String, String>> untold = new ArrayList<>();

    ImportsInForce(JShell shell) {
        this.shell = shell;
    }

    /** Something was declared or dropped. */
    void declarationsChanged() {
        imports = null;
    }

    /** Import declarations that are in force though JShell does not know them yet. */
    void set(List<String> declarations) {
        StringBuilder text = new StringBuilder();
        named = new HashMap<>();
        declarations.forEach(each -> add(text, each));
        imports = text.toString();
    }

    /** Adds what JShell does not know yet. */
    void addUntold(String name, String line) {
        untold.add(Map.entry(name, line));
        if (imports != null) {
            addUntoldNow(name, line);
        }
    }

    private void addUntoldNow(String name, String line) {
        if (name.isEmpty()) {
            StringBuilder text = new StringBuilder(imports);
            add(text, line);
            imports = text.toString();
        } else {
            add(name, line);
        }
    }

    /** JShell knows all now. */
    void told() {
        untold.clear();
        imports = null;
    }

    /** Whether a cell has declared something of that name. */
    boolean declares(String name) {
        if (imports == null) {
            collect();
        }
        return named.getOrDefault(name, "").contains("import static " + Wrappers.PACKAGE + "$JShell$");
    }

    /** A type as JShell would tell it: without the packages of what is imported. */
    String shortened(String type) {
        if (imports == null) {
            collect();
        }
        return QUALIFIED.matcher(WRAPPER.matcher(type).replaceAll(""))
                .replaceAll(each -> Matcher.quoteReplacement(
                        isImported(each.group(1), each.group(2)) ? each.group(2) : each.group()));
    }

    private boolean isImported(String packageAndDot, String name) {
        if (declares(name)) {
            return false;
        }
        return packageAndDot.equals("java.lang.") || imports.contains("import " + packageAndDot + "*;")
                || named.getOrDefault(name, "").contains("import " + packageAndDot + name + ";");
    }

    /** What this source may need, on one line. */
    String of(String source) {
        return of(source, Set.of());
    }

    /** What this source may need that declares these names itself, on one line. */
    String of(String source, Set<String> own) {
        if (imports == null) {
            collect();
        }
        StringBuilder needed = new StringBuilder(imports);
        // javac opens the class of every name imported singly: only the names that occur are worth it
        Set<String> words = source.contains("\\u") ? named.keySet() : words(source);
        words.stream().filter(each -> !own.contains(each)).map(named::get).filter(each -> each != null)
                .forEach(needed::append);
        return needed.toString();
    }

    /** The words of Java in a source, keywords too. */
    static Set<String> words(String source) {
        Set<String> words = new HashSet<>();
        Matcher matcher = WORD.matcher(source);
        while (matcher.find()) {
            words.add(matcher.group());
        }
        return words;
    }

    private void collect() {
        StringBuilder text = new StringBuilder();
        named = new HashMap<>();
        shell.snippets().filter(each -> each instanceof PersistentSnippet && shell.status(each).isDefined())
                .forEach(each -> {
                    if (each instanceof ImportSnippet) {
                        add(text, each.source());
                    } else {
                        PersistentSnippet snippet = (PersistentSnippet) each;
                        add(snippet.name(),
                                "import static " + shell.sourceCodeAnalysis().wrapper(each).fullClassName() + "."
                                        + snippet.name() + ";");
                    }
                });
        imports = text.toString();
        untold.forEach(each -> addUntoldNow(each.getKey(), each.getValue()));
    }

    private void add(StringBuilder text, String source) {
        String line = Comments.blanked(source).strip().replace('\n', ' ');
        line = line.endsWith(";") ? line : line + ";";
        Matcher single = SINGLE_IMPORT.matcher(line);
        if (single.matches()) {
            add(single.group(1), line);
        } else {
            text.append(line);
        }
    }

    private void add(String name, String line) {
        named.merge(name, line, (a, b) -> a.contains(b) ? a : a + b);
    }
}
