package io.vramlab.kernel.judge;

import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Plain Java: all sessions are compiled by one javac and run by one JVM. */
final class PlainProgram implements Side {

    private static final class Source extends SimpleJavaFileObject {

        private final String text;
        private final int number;

        Source(int number, String text) {
            super(URI.create("string:///" + PlainSource.name(number) + ".java"), Kind.SOURCE);
            this.number = number;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** With names of locals, as cells have them: the JVM's messages about null name them. */
    private static final Function<Path, List<String>> OPTIONS = classes -> List.of("-d", classes.toString(), "-g",
            "-proc:none",
            "-Xlint:none", "-nowarn", "-Xmaxerrs", "10000");

    private final List<String> refusals = new ArrayList<>();
    private final Set<Long> broken = new TreeSet<>();

    @Override
    public Set<Long> broken() {
        return broken;
    }

    @Override
    public List<String> refusals() {
        return refusals;
    }

    @Override
    public List<List<Seen>> run(List<CellSequence> sequences) throws Exception {
        Path folder = Files.createTempDirectory("judge");
        try {
            Path classes = Files.createDirectory(folder.resolve("classes"));
            Set<Integer> numbers = compile(sequences, classes);
            List<PlainMain.Program> programs = numbers.stream()
                    .map(each -> new PlainMain.Program(PlainSource.PACKAGE + "." + PlainSource.name(each),
                            sequences.get(each).cells().size()))
                    .toList();
            List<List<Seen>> seen = ChildProcess.ask(PlainMain.class, programs, new TypeToken<List<List<Seen>>>() {
            }.getType(), folder, classes);
            List<List<Seen>> all = new ArrayList<>(Collections.nCopies(sequences.size(), null));
            int at = 0;
            for (int number : numbers) {
                all.set(number, seen.get(at++));
            }
            return all;
        } finally {
            ChildProcess.remove(folder);
        }
    }

    /** The numbers of the sessions that javac accepts. */
    private Set<Integer> compile(List<CellSequence> sequences, Path classes) throws IOException {
        Set<Integer> left = new TreeSet<>();
        for (int i = 0; i < sequences.size(); i++) {
            left.add(i);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        while (!left.isEmpty()) {
            List<Source> sources = left.stream()
                    .map(each -> new Source(each, PlainSource.of(sequences.get(each), each)))
                    .toList();
            DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
            boolean done = compiler.getTask(null, null, problems, OPTIONS.apply(classes), null, sources).call();
            if (done) {
                break;
            }
            Set<Integer> refused = new TreeSet<>();
            for (Diagnostic<? extends JavaFileObject> each : problems.getDiagnostics()) {
                if (each.getKind() == Diagnostic.Kind.ERROR && each.getSource() instanceof Source source) {
                    if (refused.add(source.number)) {
                        String line = source.text.lines().skip(each.getLineNumber() - 1).findFirst().orElse("");
                        refusals.add("seed %d: %s%n%s".formatted(sequences.get(source.number).seed(),
                                each.getMessage(null), line));
                    }
                }
            }
            if (refused.isEmpty()) {
                // it threw something: javac 25 does over some switches inside conditions (an index out of bounds in Code.put1)
                for (Source each : sources) {
                    if (!compiler.getTask(null, null, new DiagnosticCollector<>(), OPTIONS.apply(classes), null,
                            List.of(each)).call()) {
                        refused.add(each.number);
                        broken.add(sequences.get(each.number).seed());
                    }
                }
                if (refused.isEmpty()) {
                    throw new IOException("javac: " + problems.getDiagnostics());
                }
            }
            left.removeAll(refused);
        }
        return left;
    }
}
