package io.vramlab.install;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.vramlab.install.notebook.Handout;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes the course out of the jar that holds it. */
@Command(name = "course", mixinStandardHelpOptions = true, description = "Write the course's lessons into a folder that has none of them: as they are, "
        + "or as they are handed out, without solutions and outputs.")
final class CourseCommand implements Callable<Integer> {

    /** One of the files, by which the others are found: beside it in the jar, or in the folder of classes. */
    private static final String FOLDER = "course/README.md";

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Kind kind;

    /** For whom. */
    static final class Kind {

        @Option(names = "--student", paramLabel = "DIR", description = "the lessons without solutions and outputs, ready for nbgrader's source folder too")
        private Path student;

        @Option(names = "--teacher", paramLabel = "DIR", description = "the lessons with their solutions, and the page for teachers")
        private Path teacher;
    }

    @Override
    public Integer call() throws IOException {
        Path target = (kind.student == null ? kind.teacher : kind.student).toAbsolutePath().normalize();
        URI source = here();
        if (source.getScheme().equals("jar")) {
            try (FileSystem jar = FileSystems.newFileSystem(source, Map.of())) {
                write(jar.provider().getPath(source).getParent(), target);
            }
        } else {
            write(Path.of(source).getParent(), target);
        }
        return Main.OK;
    }

    private static URI here() {
        try {
            return CourseCommand.class.getResource(FOLDER).toURI();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void write(Path lessons, Path target) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(lessons)) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> kind.student == null || !file.getFileName().toString().equals("README.md"))
                    .sorted().toList();
        }
        for (Path file : files) {
            Path there = target.resolve(lessons.relativize(file).toString());
            if (Files.exists(there)) {
                throw new CommandFailure("The course was to be written to " + target + ".",
                        there + " is there already.", "Name another folder, or move what somebody may have worked in.");
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        try {
            for (Path file : files) {
                Path there = target.resolve(lessons.relativize(file).toString());
                Files.createDirectories(there.getParent());
                Writing.write(there, new ByteArrayInputStream(content(file)));
                out.println(target.relativize(there));
            }
            out.println("These files are in " + target + (kind.student == null
                    ? ", with solutions; begin with README.md."
                    : ", without solutions."));
        } catch (FileSystemException refused) {
            throw new CommandFailure("The course was to be written to " + target + ".",
                    refused.getFile() + " cannot be written (" + Writing.reason(refused) + ").",
                    "Name a folder of yours.");
        }
    }

    private byte[] content(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        return kind.student != null && file.toString().endsWith(".ipynb")
                ? Handout.of(new String(content, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8)
                : content;
    }
}
