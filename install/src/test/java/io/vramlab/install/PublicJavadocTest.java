package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs may use says so in full: javac's doclint finds nothing missing in the packages that are API. */
class PublicJavadocTest {

    /** As docs/house.md names them, section 1. */
    private static final List<String> MODULES = List.of("device", "allocator", "tensor", "train");
    private static final List<String> PACKAGES = List.of("device", "memory", "tensor", "autograd", "nn", "optim",
            "data",
            "distributions", "amp", "tensor/type");

    @TempDir
    private Path classes;

    private static List<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : MODULES) {
            for (String name : PACKAGES) {
                Path folder = Checkout.file("runtime/" + module).resolve("src/main/java/io/vramlab").resolve(name);
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> files = Files.list(folder)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
                    }
                }
            }
        }
        return all;
    }

    @Test
    void nothingThatIsPublicLacksItsParametersItsResultOrItsErrors() throws IOException {
        List<Path> sources = sources();
        assertTrue(sources.size() > 300, sources.size() + " files");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            List<String> options = List.of("-proc:none", "-d", classes.toString(), "--add-modules",
                    "jdk.incubator.vector", "-cp", System.getProperty("java.class.path"), "-implicit:none",
                    "-Xdoclint:all/public", "-Xmaxwarns", "10000");
            compiler.getTask(null, files, found, options, null, files.getJavaFileObjectsFromPaths(sources)).call();
        }
        List<String> lacking = found.getDiagnostics().stream().filter(each -> each.getSource() != null)
                .filter(each -> each.getCode().contains("doclint") || each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> Path.of(each.getSource().toUri()).getFileName() + ":" + each.getLineNumber() + ": "
                        + each.getMessage(Locale.ROOT))
                .toList();
        assertEquals(List.of(), lacking);
    }
}
