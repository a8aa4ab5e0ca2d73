package io.vramlab.kernel.internal.eval.accelerated;

import com.sun.source.util.JavacTask;
import io.vramlab.kernel.internal.agent.Agent;
import io.vramlab.kernel.internal.agent.AgentPowers;
import io.vramlab.kernel.internal.eval.Accelerator;
import io.vramlab.kernel.internal.eval.Javac;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.StandardJavaFileManager;
import jdk.jshell.JShell;
import jdk.jshell.SourceCodeAnalysis;

/** Opens the packages of JShell and javac that this one reaches into, by the agent where the command line did not. */
public final class JShellInsides implements Accelerator {

    private static final List<String> JAVAC = List.of("com.sun.tools.javac.api", "com.sun.tools.javac.code",
            "com.sun.tools.javac.util");
    private static final String JSHELL = "jdk.jshell";

    private final PooledJavac javac;
    private final ShellMemory memory;
    private final ClassNumbers numbers;
    private final DocumentationSources sources = new DocumentationSources();

    private JShellInsides(PooledJavac javac, ShellMemory memory, ClassNumbers numbers) {
        this.javac = javac;
        this.memory = memory;
        this.numbers = numbers;
    }

    /**
     * As {@link Accelerator.Factory} says.
     *
     * @throws IllegalAccessException
     *             if the packages are closed, and there is no agent
     */
    public static Accelerator open(JShell shell, StandardJavaFileManager files, Map<String, byte[]> classFiles)
            throws ReflectiveOperationException {
        export();
        try {
            JdkIndex.place();
        } catch (IOException e) {
            throw new ReflectiveOperationException(e);
        }
        return new JShellInsides(new PooledJavac(files, classFiles), new ShellMemory(shell), new ClassNumbers(shell));
    }

    private static void export() throws IllegalAccessException {
        Module own = JShellInsides.class.getModule();
        Module compiler = JavacTask.class.getModule();
        Module shell = JShell.class.getModule();
        if (JAVAC.stream().allMatch(each -> compiler.isExported(each, own)) && shell.isOpen(JSHELL, own)) {
            return;
        }
        AgentPowers agent = Agent.powers().orElseThrow(() -> new IllegalAccessException(
                "packages of javac and JShell are closed, and there is no agent to open them"));
        Map<String, Set<Module>> exports = new HashMap<>();
        JAVAC.forEach(each -> exports.put(each, Set.of(own)));
        agent.open(compiler, exports, Map.of());
        agent.open(shell, Map.of(), Map.of(JSHELL, Set.of(own)));
    }

    @Override
    public Javac javac() {
        return javac;
    }

    @Override
    public int reserve(Declaration declaration) throws ReflectiveOperationException {
        return numbers.reserve(declaration);
    }

    @Override
    public void announce(Declaration declaration) {
        numbers.announce(declaration);
    }

    @Override
    public void release(Declaration declaration) {
        numbers.release(declaration);
    }

    @Override
    public Set<String> forget() throws ReflectiveOperationException {
        return memory.forget();
    }

    @Override
    public void forgetClasses(Set<String> wrappers) {
        memory.forgetClasses(wrappers);
    }

    @Override
    public void rest() throws ReflectiveOperationException {
        memory.newCompilers();
    }

    @Override
    public void documentationSources(SourceCodeAnalysis analysis, Set<Path> jars) throws ReflectiveOperationException {
        sources.tell(analysis, jars);
    }
}
