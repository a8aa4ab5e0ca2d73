package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.internal.hint.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.Snippet.Status;
import jdk.jshell.VarSnippet;

/** What the cells of a session can name, for hints. */
final class Known implements Names {

    private static final Pattern EXTENDS = Pattern
            .compile("\\bclass\\s+(\\w+)(?:\\s*<[^{]*>)?\\s+extends\\s+([\\w.]+)");

    private final JShell shell;

    Known(JShell shell) {
        this.shell = shell;
    }

    @Override
    public List<String> imports() {
        return shell.imports().filter(each -> !each.isStatic()).map(ImportSnippet::fullname).toList();
    }

    @Override
    public List<String> types() {
        return shell.types().filter(each -> shell.status(each).isDefined()).map(DeclarationSnippet::name).toList();
    }

    @Override
    public Map<String, String> above() {
        Map<String, String> all = new LinkedHashMap<>();
        shell.types().filter(each -> shell.status(each).isDefined()).forEach(each -> {
            Matcher extended = EXTENDS.matcher(each.source());
            if (extended.find() && extended.group(1).equals(each.name())) {
                all.put(each.name(), extended.group(2));
            }
        });
        return all;
    }

    @Override
    public Map<String, String> waiting() {
        return shell.snippets().filter(each -> shell.status(each) == Status.RECOVERABLE_DEFINED
                || shell.status(each) == Status.RECOVERABLE_NOT_DEFINED).filter(DeclarationSnippet.class::isInstance)
                .map(DeclarationSnippet.class::cast)
                .collect(Collectors.toMap(DeclarationSnippet::name,
                        each -> String.join(" and ", shell.unresolvedDependencies(each).toList()), (a, b) -> b,
                        LinkedHashMap::new));
    }

    @Override
    public List<String> methods() {
        return shell.methods().filter(each -> shell.status(each).isDefined()).map(DeclarationSnippet::name).toList();
    }

    @Override
    public Map<String, String> variables() {
        return shell.variables().filter(each -> shell.status(each).isDefined()).collect(
                Collectors.toMap(VarSnippet::name, VarSnippet::typeName, (a, b) -> b, LinkedHashMap::new));
    }

    @Override
    public ClassLoader loader() {
        return Known.class.getClassLoader();
    }

    @Override
    public List<String> libraryClasses(String simpleName) {
        return shell.sourceCodeAnalysis().listQualifiedNames(simpleName, simpleName.length()).getNames();
    }
}
