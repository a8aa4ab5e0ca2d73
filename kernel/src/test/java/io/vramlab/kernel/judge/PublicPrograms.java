package io.vramlab.kernel.judge;

import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * Pastes a collection's programs into cells and compares with what {@code java} prints: {@code COLLECTION RESULTS on|off|woven
 * FIRST COUNT}, woven with magics on the class path. The collection stays outside this repository.
 */
final class PublicPrograms {

    private static final int AT_ONCE = 20;

    private PublicPrograms() {
    }

    public static void main(String[] arguments) throws Exception {
        Path main = Path.of(arguments[0], "src/main/java");
        Path tests = Path.of(arguments[0], "src/test/java");
        Path results = Path.of(arguments[1]);
        List<PublicProgram> programs = new ArrayList<>();
        try (Stream<Path> files = Files.walk(main)) {
            for (Path each : files.filter(file -> file.toString().endsWith(".java")).sorted().toList()) {
                PublicProgram.of(main, tests, each).ifPresent(programs::add);
            }
        }
        System.out.println(programs.size() + " programs");
        if (arguments[2].equals("woven")) {
            OurKernel.Main.weave();
        }
        int first = Integer.parseInt(arguments[3]);
        int last = Math.min(programs.size(), first + Integer.parseInt(arguments[4]));
        for (int from = first; from < last; from += AT_ONCE) {
            judge(programs.subList(from, Math.min(last, from + AT_ONCE)), !arguments[2].equals("off"), results);
        }
        System.exit(0);
    }

    private static void judge(List<PublicProgram> programs, boolean accelerated, Path results) throws Exception {
        Path folder = Files.createTempDirectory("programs");
        List<String> expected;
        try {
            expected = ChildProcess.ask(Reference.class, programs, new TypeToken<List<String>>() {
            }.getType(), folder, null);
        } finally {
            ChildProcess.remove(folder);
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < programs.size(); i++) {
            String line = programs.get(i).name() + "\t" + (expected.get(i) == null
                    ? "needs other files"
                    : compare(ours(programs.get(i), accelerated), expected.get(i)));
            lines.add(line);
            System.out.println(line);
        }
        Files.write(results, lines, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
    }

    private static String compare(String ours, String theirs) {
        if (ours.equals(theirs)) {
            return "equal\t" + theirs.lines().count() + " lines";
        }
        List<String> a = ours.lines().toList();
        List<String> b = theirs.lines().toList();
        int at = 0;
        while (at < Math.min(a.size(), b.size()) && a.get(at).equals(b.get(at))) {
            at++;
        }
        return "different\tline %d: ours %s, theirs %s".formatted(at + 1, at < a.size() ? a.get(at) : "none",
                at < b.size() ? b.get(at) : "none");
    }

    private static String ours(PublicProgram program, boolean accelerated) {
        StringBuilder out = new StringBuilder();
        try (Session session = new Session(accelerated, Imports.ALL)) {
            List<String> cells = new ArrayList<>(program.sources());
            cells.add(program.call());
            for (String each : cells) {
                Seen seen = session.run(each);
                out.append(seen.out());
                if (seen.thrown() != null) {
                    return out + "thrown " + seen.thrown().lines().findFirst().orElse("") + "\n";
                }
            }
        }
        return out.toString();
    }

    /** Compiles and runs programs as files, each with a class loader of its own, in a JVM of its own. */
    static final class Reference {

        private Reference() {
        }

        public static void main(String[] arguments) throws Exception {
            List<PublicProgram> programs = ChildProcess.asked(arguments, new TypeToken<List<PublicProgram>>() {
            }.getType());
            List<String> all = new ArrayList<>();
            for (PublicProgram each : programs) {
                all.add(run(each, Files.createTempDirectory(Path.of(arguments[0]).getParent(), "program"))
                        .orElse(null));
            }
            ChildProcess.answer(arguments, all);
            System.exit(0);
        }

        private static Optional<String> run(PublicProgram program, Path folder) throws IOException {
            List<Path> files = new ArrayList<>();
            for (int i = 0; i < program.classes().size(); i++) {
                files.add(Files.writeString(folder.resolve(program.classes().get(i) + ".java"),
                        program.sources().get(i)));
            }
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            Iterable<? extends JavaFileObject> sources = compiler.getStandardFileManager(null, null, null)
                    .getJavaFileObjectsFromPaths(files);
            if (!compiler.getTask(null, null, problem -> {
            }, List.of("-d", folder.toString(), "-proc:none", "-Xlint:none"), null, sources).call()) {
                return Optional.empty();
            }
            String thrown = "";
            try (Captured captured = new Captured();
                    URLClassLoader loader = new URLClassLoader(new URL[]{folder.toUri().toURL()})) {
                Thread.currentThread().setContextClassLoader(loader);
                Class<?> type = loader.loadClass(program.classes().getLast());
                try {
                    if (program.classes().size() > 1) {
                        TestDriver.run(type);
                    } else {
                        var main = type.getDeclaredMethod("main", String[].class);
                        main.setAccessible(true);
                        main.invoke(null, (Object) new String[0]);
                    }
                } catch (InvocationTargetException e) {
                    thrown = "thrown " + Show.thrown(e.getCause()).lines().findFirst().orElse("") + "\n";
                }
                return Optional.of(captured.take() + thrown);
            } catch (ReflectiveOperationException e) {
                return Optional.empty();
            }
        }
    }
}
