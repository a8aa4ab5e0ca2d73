package io.vramlab.lifetime;

import io.vramlab.tensor.Lifetimes;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts in programs and tests outside of notebooks, as in cells: {@code java -javaagent:vramlab-lifetime-VERSION.jar -cp …
 * Program}. Tensors of the program's own classes then go when CPython would let them go.
 *
 * <p>
 * The program's own are those whose class files lie in folders of the class path, as Maven's {@code target/classes}
 * and {@code target/test-classes} do; or, with {@code -javaagent:…=com.example,org.other}, those of these packages and of
 * packages inside of them, wherever they lie. All other code does not count: what it is given escapes, see
 * {@link Lifetimes}. A class that cannot count (see {@link Weaver#weave}) switches counting off for the whole program, and
 * is named on the standard error output.
 */
public final class LifetimesAgent implements ClassFileTransformer {

    private static final String OURS = "io/vramlab/";

    private final List<String> packages;
    private final Map<String, Boolean> known = new ConcurrentHashMap<>();

    private LifetimesAgent(List<String> packages) {
        this.packages = packages;
    }

    /**
     * Called by the JVM before the program's {@code main}.
     *
     * @param packages
     *            names of packages with commas between them; null or empty for all classes that lie in folders
     * @param instrumentation
     *            the JVM's
     */
    public static void premain(String packages, Instrumentation instrumentation) {
        List<String> chosen = packages == null
                ? List.of()
                : Arrays.stream(packages.split(",")).map(String::strip).filter(each -> !each.isEmpty())
                        .map(each -> each.replace('.', '/') + "/").toList();
        Lifetimes.count(true);
        instrumentation.addTransformer(new LifetimesAgent(chosen));
    }

    /** Null, which leaves the class as it is, for what is not the program's own, or once counting is off. */
    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
            byte[] classFile) {
        if (name == null || !Lifetimes.isCounting() || !isTheProgramsOwn(name)) {
            return null;
        }
        try {
            return Weaver.weave(classFile, this::isTheProgramsOwn);
        } catch (RuntimeException | LinkageError cannot) {
            // the JVM would go on with the class as it was, and the others were woven to count on it
            Lifetimes.count(false);
            System.err.println("The class " + name.replace('/', '.') + " was to count its tensors. It cannot: "
                    + cannot.getMessage() + ". From here on tensors live as in Java. Make its methods smaller, or name "
                    + "other packages: -javaagent:…=com.example.");
            return null;
        }
    }

    private boolean isTheProgramsOwn(String name) {
        if (!packages.isEmpty()) {
            return packages.stream().anyMatch(name::startsWith);
        }
        if (name.startsWith(OURS)) {
            return false;
        }
        Boolean before = known.get(name);
        if (before == null) {
            before = liesInAFolder(name); // the search may load classes, and so come back here
            known.put(name, before);
        }
        return before;
    }

    private static boolean liesInAFolder(String name) {
        URL file = ClassLoader.getSystemResource(name + ".class");
        return file != null && file.getProtocol().equals("file");
    }
}
