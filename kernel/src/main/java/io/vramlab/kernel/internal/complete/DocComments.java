package io.vramlab.kernel.internal.complete;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Reads doc comments with javac's own parser, which alone knows what braces, entities and old HTML in them mean. */
final class DocComments {

    /** What javac made of a source. */
    record Parsed(CompilationUnitTree unit, DocTrees trees) {
    }

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);

    /** Parses a source without looking anything up; what is wrong in it is left out. */
    Parsed source(String text) {
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Source.java"),
                JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean lenient) {
                return text;
            }
        };
        JavacTask task = (JavacTask) compiler.getTask(null, files, problem -> {
            // it is read for its comments: errors are for those who run it
        }, List.of("-proc:none"), null, List.of(file));
        try {
            return new Parsed(task.parse().iterator().next(), DocTrees.instance(task));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Comments as HTML.
     *
     * @param comments
     *            without their slashes and stars
     * @param whole
     *            true for all of each, false for its first sentence and what belongs to the signature
     */
    List<String> html(List<String> comments, boolean whole) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < comments.size(); i++) {
            text.append("/**\n");
            comments.get(i).replace("*/", "*&#47;").replace("\\u", "\\u005cu").lines()
                    .forEach(line -> text.append("*").append(line).append('\n'));
            text.append("*/\nclass C").append(i).append(" { }\n");
        }
        Parsed parsed = source(text.toString());
        TreePath unit = new TreePath(parsed.unit());
        return parsed.unit().getTypeDecls().stream()
                .map(each -> parsed.trees().getDocCommentTree(new TreePath(unit, each)))
                .map(each -> CommentHtml.of(parsed.trees(), each, whole)).toList();
    }
}
