package io.vramlab.kernel.internal.complete;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePathScanner;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The doc comments of what cells declared. JShell does not keep them, but it keeps the declarations' source; they are
 * found by the signature that it gives, packages and type arguments aside.
 */
final class OwnComments {

    private static final String OUTER = "Cell$";
    private static final Pattern TYPE_ARGUMENTS = Pattern.compile("<[^<>]*>");
    private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");
    private static final Pattern NAME = Pattern.compile("([\\w$.]+)(\\(.*\\))");

    private final Map<String, String> bySignature = new HashMap<>();

    /** The comments in these declarations. */
    OwnComments(DocComments parser, List<String> declarations) {
        declarations.stream().filter(each -> each.contains("/**")).forEach(each -> read(parser, each));
    }

    private void read(DocComments parser, String declaration) {
        DocComments.Parsed parsed = parser.source("class " + OUTER + " {" + declaration + "\n}");
        new TreePathScanner<Void, String>() {

            private void note(String name, String parameters) {
                String comment = parsed.trees().getDocComment(getCurrentPath());
                if (comment != null) {
                    bySignature.put(name + parameters, comment);
                }
            }

            @Override
            public Void visitClass(ClassTree type, String outer) {
                String name = outer + type.getSimpleName();
                boolean own = name.equals(OUTER);
                if (!own) {
                    note(name, "");
                }
                return super.visitClass(type, own ? "" : name + ".");
            }

            @Override
            public Void visitMethod(MethodTree method, String outer) {
                boolean constructor = method.getReturnType() == null;
                note(constructor ? outer.replaceFirst("\\.$", "") : outer + method.getName(),
                        method.getParameters().stream().map(OwnComments::parameter)
                                .collect(Collectors.joining(",", "(", ")")));
                return null;
            }

            @Override
            public Void visitVariable(VariableTree variable, String outer) {
                note(outer + variable.getName(), "");
                return null;
            }
        }.scan(parsed.unit(), "");
    }

    private static String parameter(VariableTree parameter) {
        return type(parameter) + " " + parameter.getName();
    }

    /** A parameter's type without its packages and type arguments. */
    static String type(VariableTree parameter) {
        String type = String.valueOf(parameter.getType());
        boolean several = parameter.toString().contains("...");
        return plain(several ? type.replaceFirst("\\[]$", "...") : type);
    }

    /** The comment of what has this signature, as JShell writes it. */
    Optional<String> of(String signature) {
        if (bySignature.isEmpty()) {
            return Optional.empty();
        }
        String plain = plain(signature.replaceFirst(":.*", ""));
        Matcher method = NAME.matcher(plain);
        return Optional.ofNullable(
                bySignature.get(method.find() ? method.group(1) + method.group(2).replace(", ", ",") : plain));
    }

    /** Without packages and type arguments. */
    static String plain(String text) {
        String plain = text;
        for (String before = ""; !before.equals(plain);) {
            before = plain;
            plain = TYPE_ARGUMENTS.matcher(plain).replaceAll("");
        }
        return PACKAGE.matcher(plain).replaceAll("").strip();
    }
}
