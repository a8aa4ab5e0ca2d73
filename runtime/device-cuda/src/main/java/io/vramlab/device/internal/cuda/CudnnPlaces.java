package io.vramlab.device.internal.cuda;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Where Python's packages keep cuDNN: {@code nvidia/cudnn/lib} among those of the environments that are in use. */
final class CudnnPlaces {

    private static final List<String> BESIDES = List.of("cu13", "cublas", "cuda_nvrtc", "cuda_runtime");

    private CudnnPlaces() {
    }

    /** Folders that have it, of the active environment and of the interpreters on the path. */
    static List<Path> ofPython() {
        Set<Path> roots = new LinkedHashSet<>();
        for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
            if (System.getenv(variable) != null) {
                roots.add(Path.of(System.getenv(variable)));
            }
        }
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path python = Path.of(folder, "python3");
            if (!folder.isEmpty() && Files.isExecutable(python)) {
                roots.add(Path.of(folder).toAbsolutePath().getParent());
            }
        }
        roots.add(Path.of(System.getProperty("user.home"), ".local"));
        List<Path> found = new ArrayList<>();
        roots.stream().filter(root -> root != null).forEach(root -> found.addAll(under(root)));
        return found;
    }

    private static List<Path> under(Path root) {
        List<Path> found = new ArrayList<>();
        for (String folder : List.of("lib", "lib64")) {
            try (DirectoryStream<Path> versions = Files.newDirectoryStream(root.resolve(folder), "python3*")) {
                for (Path version : versions) {
                    Stream.of("site-packages", "dist-packages")
                            .map(packages -> version.resolve(packages).resolve("nvidia/cudnn/lib"))
                            .filter(Files::isDirectory).forEach(found::add);
                }
            } catch (IOException none) {
                // no such folder, or not ours to read: nothing is found in it
                continue;
            }
        }
        return found;
    }

    /** Folders of the packages beside that one which cuDNN needs. */
    static List<Path> besides(Path folder) {
        Path packages = folder.toAbsolutePath().resolve("../..").normalize();
        return BESIDES.stream().map(name -> packages.resolve(name).resolve("lib")).filter(Files::isDirectory).toList();
    }
}
