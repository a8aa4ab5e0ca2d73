package io.vramlab.kernel.internal.hint;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The public classes of packages, of the JDK and of the class path. */
final class Packages {

    private static final String SUFFIX = ".class";

    private Packages() {
    }

    /** The JDK's public classes of a simple name, {@code java.} first. */
    static List<String> ofJdk(String simpleName) {
        List<String> found = new ArrayList<>();
        for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
            Path classes = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules",
                    module.descriptor().name());
            for (ModuleDescriptor.Exports each : module.descriptor().exports()) {
                String name = each.source() + "." + simpleName;
                if (!each.isQualified() && Files.exists(classes.resolve(name.replace('.', '/') + SUFFIX))
                        && load(name, ClassLoader.getPlatformClassLoader()).isPresent()) {
                    found.add(name);
                }
            }
        }
        found.sort(Comparator.comparing((String name) -> !name.startsWith("java.")).thenComparing(String::length));
        return found;
    }

    /** The public class of a full name, not initialised. */
    static Optional<Class<?>> load(String name, ClassLoader loader) {
        try {
            return Optional.<Class<?>>of(Class.forName(name, false, loader))
                    .filter(each -> Modifier.isPublic(each.getModifiers()));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }

    /** The simple names of the public classes of a package. */
    static List<String> classes(String packageName, ClassLoader loader) {
        String folder = packageName.replace('.', '/');
        Optional<Module> jdk = ModuleLayer.boot().modules().stream()
                .filter(each -> each.getPackages().contains(packageName)).findFirst();
        try {
            if (jdk.isPresent() && jdk.get().getLayer() != null) {
                return classes(packageName, FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules",
                        jdk.get().getName(), folder), loader);
            }
            List<String> all = new ArrayList<>();
            for (URL found : Collections.list(loader.getResources(folder))) {
                all.addAll(classes(packageName, found, loader));
            }
            return all;
        } catch (IOException | URISyntaxException e) {
            // what cannot be read has no names to offer
            return List.of();
        }
    }

    private static List<String> classes(String packageName, URL found, ClassLoader loader)
            throws IOException, URISyntaxException {
        if (!found.getProtocol().equals("jar")) {
            return classes(packageName, Path.of(found.toURI()), loader);
        }
        String jar = found.getPath().substring(0, found.getPath().indexOf("!/"));
        try (FileSystem files = FileSystems.newFileSystem(Path.of(URI.create(jar)), Map.of())) {
            return classes(packageName, files.getPath(packageName.replace('.', '/')), loader);
        }
    }

    private static List<String> classes(String packageName, Path folder, ClassLoader loader) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString())
                    .filter(each -> each.endsWith(SUFFIX) && !each.contains("$") && !each.contains("-"))
                    .map(each -> each.substring(0, each.length() - SUFFIX.length()))
                    .filter(each -> load(packageName + "." + each, loader).isPresent()).sorted().toList();
        }
    }
}
