package io.vramlab.kernel.internal.eval.accelerated;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jdk.jshell.SourceCodeAnalysis;

/** The list of sources in which JShell looks for doc comments: it has no setting for others than the JDK's own. */
final class DocumentationSources {

    private List<Path> ofJdk;

    void tell(SourceCodeAnalysis analysis, Set<Path> jars) throws ReflectiveOperationException {
        Field known = analysis.getClass().getDeclaredField("availableSources");
        known.setAccessible(true);
        if (ofJdk == null) {
            Method find = analysis.getClass().getDeclaredMethod("findSources");
            find.setAccessible(true);
            find.invoke(analysis);
            ofJdk = ((List<?>) known.get(analysis)).stream().map(Path.class::cast).toList();
        }
        List<Path> all = new ArrayList<>(ofJdk);
        all.addAll(jars);
        known.set(analysis, all);
    }
}
