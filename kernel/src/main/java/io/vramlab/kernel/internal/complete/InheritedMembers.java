package io.vramlab.kernel.internal.complete;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.lang.model.element.Modifier;

/**
 * Methods that a public class inherits from one that nobody can name, which says by {@code permits} whom it serves. JShell
 * gives them under the name that nobody knows, without names of parameters and without their comment; here they have all
 * three, from the jars of sources.
 */
final class InheritedMembers {

    /**
     * A method as its users know it.
     *
     * @param signature
     *            with the public class and the names of its parameters
     * @param comment
     *            its doc comment, empty for none
     */
    record Member(String signature, String comment) {
    }

    /** A class in a source file. */
    private record Source(DocComments.Parsed parsed, ClassTree type) {

        boolean isPublic() {
            return type.getModifiers().getFlags().contains(Modifier.PUBLIC);
        }
    }

    private static final Logger LOG = Logger.getLogger(InheritedMembers.class.getName());
    private static final Pattern METHOD = Pattern.compile("(.*?)\\b([A-Z]\\w*)\\.(\\w+)\\((.*)\\)(.*)");

    private final DocComments parser;
    private final Set<Path> jars;
    private final Map<String, Optional<Source>> sources = new HashMap<>();

    InheritedMembers(DocComments parser, Set<Path> jars) {
        this.parser = parser;
        this.jars = jars;
    }

    /** What stands behind a signature as JShell writes it; empty where its class is public, or has no source here. */
    Optional<Member> of(String signature) {
        Matcher told = METHOD.matcher(signature);
        if (!told.matches()) {
            return Optional.empty();
        }
        return source(told.group(2)).filter(source -> !source.isPublic())
                .flatMap(source -> method(source, told.group(3), types(told.group(4)))
                        .map(method -> member(source, method, told)));
    }

    private Member member(Source source, MethodTree method, Matcher told) {
        String parameters = method.getParameters().stream()
                .map(each -> each.toString().contains("...")
                        ? each.getType().toString().replaceFirst("\\[]$", "...") + " " + each.getName()
                        : each.getType() + " " + each.getName())
                .collect(Collectors.joining(", "));
        TreePath path = TreePath.getPath(source.parsed.unit(), method);
        String comment = source.parsed.trees().getDocComment(path);
        return new Member(told.group(1) + home(source) + "." + told.group(3) + "(" + parameters + ")" + told.group(5),
                comment == null ? "" : comment);
    }

    /** The public class that inherits it, by way of all that it is permitted to. */
    private String home(Source source) {
        List<? extends Tree> heirs = source.type.getPermitsClause();
        if (source.isPublic() || heirs.isEmpty()) {
            return source.type.getSimpleName().toString();
        }
        return source(heirs.getFirst().toString()).map(this::home).orElse(heirs.getFirst().toString());
    }

    private static Optional<MethodTree> method(Source source, String name, List<String> types) {
        return source.type.getMembers().stream().filter(MethodTree.class::isInstance).map(MethodTree.class::cast)
                .filter(each -> each.getName().contentEquals(name))
                .filter(each -> each.getParameters().stream().map(OwnComments::type).toList().equals(types))
                .findFirst();
    }

    private static List<String> types(String parameters) {
        String plain = OwnComments.plain(parameters);
        return plain.isEmpty() ? List.of() : Arrays.stream(plain.split(",")).map(String::strip).toList();
    }

    private Optional<Source> source(String name) {
        return sources.computeIfAbsent(name, this::read);
    }

    private Optional<Source> read(String name) {
        List<Path> unread = new ArrayList<>();
        for (Path jar : jars) {
            try (ZipFile files = new ZipFile(jar.toFile())) {
                Optional<? extends ZipEntry> entry = files.stream()
                        .filter(each -> each.getName().endsWith("/" + name + ".java")).findFirst();
                if (entry.isPresent()) {
                    String text = new String(files.getInputStream(entry.get()).readAllBytes(), StandardCharsets.UTF_8);
                    DocComments.Parsed parsed = parser.source(text);
                    return parsed.unit().getTypeDecls().stream().filter(ClassTree.class::isInstance)
                            .map(ClassTree.class::cast).filter(each -> each.getSimpleName().contentEquals(name))
                            .findFirst().map(type -> new Source(parsed, type));
                }
            } catch (IOException e) {
                unread.add(jar);
            }
        }
        if (!unread.isEmpty()) {
            LOG.log(Level.FINE, "sources that cannot be read: {0}", unread);
        }
        return Optional.empty();
    }
}
