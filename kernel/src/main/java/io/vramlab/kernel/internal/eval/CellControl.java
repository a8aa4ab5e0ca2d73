package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.internal.agent.Agent;
import io.vramlab.kernel.internal.agent.AgentPowers;
import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.internal.cell.KernelThread;
import io.vramlab.kernel.internal.cell.StopCheck;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import jdk.jshell.execution.DirectExecutionControl;
import jdk.jshell.spi.SPIResolutionException;

/**
 * JShell's hands in this process: loads classes, runs code on the cell's thread, and keeps values and exceptions as the
 * objects that they are. JShell gets empty strings and empty stack traces in their place.
 */
final class CellControl extends DirectExecutionControl {

    private static final StackTraceElement[] NO_TRACE = {};

    private final CellLoader loader;
    private final Function<String, SnippetLines> lines;
    private final Runnable beforeCode;
    private CellThread thread;
    private Object value;
    private Throwable thrown;
    private boolean muted;

    CellControl(CellLoader loader, Function<String, SnippetLines> lines, Runnable beforeCode) {
        super(loader);
        this.loader = loader;
        this.lines = lines;
        this.beforeCode = beforeCode;
    }

    /** Where code runs from now on. */
    void thread(CellThread next) {
        this.thread = next;
    }

    /** From now on, whether JShell only believes that code runs. */
    void mute(boolean now) {
        muted = now;
    }

    /** Forgets the outcome of the code that ran before. */
    void clear() {
        value = null;
        thrown = null;
    }

    /** The value of the last code that ran. */
    Object value() {
        return value;
    }

    /** Sets what counts as thrown by the last code. */
    void thrown(Throwable error) {
        thrown = error;
    }

    /** What the last code threw, or null. */
    Throwable thrown() {
        return thrown;
    }

    @Override
    public String invoke(String className, String methodName)
            throws RunException, InternalException, EngineTerminationException {
        if (muted) {
            return "";
        }
        clear();
        try {
            locate();
            SnippetLoader snippet = loader.snippet(className);
            // JShell keeps the class when a declaration is repeated word for word: its lines are of another cell now
            snippet.moved(lines.apply(className));
            relocate(snippet);
            beforeCode.run();
            SnippetCode code = snippet.code();
            Class<?> entry = code == null ? loader.loadClass(className) : code.code();
            return invoke(entry.getMethod(methodName));
        } catch (RunException e) {
            throw e;
        } catch (Exception | LinkageError e) {
            // JShell passes over what it takes for a fault of its own, and the cell would end well
            thrown = e;
            throw new InternalException(e.toString());
        }
    }

    /** Gives the classes that came since, or have other bytes since, the lines of their cells. */
    void locate() throws InternalException {
        for (SnippetLoader each : loader.locate(lines)) {
            relocate(each);
        }
    }

    @Override
    protected String invoke(Method method) throws Exception {
        run(method);
        if (thrown instanceof SPIResolutionException unresolved) {
            throw new ResolutionException(unresolved.id(), NO_TRACE);
        }
        if (thrown != null) {
            throw new UserException("", thrown.getClass().getName(), NO_TRACE);
        }
        return "";
    }

    /** Runs a method without parameters; its value or what it threw is then here. */
    void run(Method method) {
        clear();
        try {
            value = thread.call(() -> method.invoke(null));
        } catch (InvocationTargetException e) {
            thrown = e.getCause();
        } catch (Exception | Error e) {
            if (!(Thread.currentThread() instanceof KernelThread)) {
                // a cell that was left behind tells the one that runs now nothing
                StopCheck.checkAbandoned();
            }
            thrown = e;
        }
    }

    @Override
    public String varValue(String className, String varName) {
        return "";
    }

    @Override
    public void redefine(ClassBytecodes[] classes)
            throws ClassInstallException, NotImplementedException, EngineTerminationException {
        Optional<AgentPowers> agent = Agent.powers();
        boolean[] installed = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            SnippetLoader snippet = loader.snippet(classes[i].name());
            loader.handOver(classes[i].name());
            if (snippet.code() != null) {
                if (!snippet.exchange(classes[i].name(), classes[i].bytecodes())) {
                    throw new ClassInstallException("another holder is needed", installed);
                }
            } else if (!snippet.put(classes[i].name(), classes[i].bytecodes())) {
                if (agent.isEmpty()) {
                    throw new ClassInstallException("no agent", installed);
                }
                redefine(agent.get(), snippet, classes[i], installed);
            }
            installed[i] = true;
        }
        classesRedefined(classes);
    }

    private static void redefine(AgentPowers agent, SnippetLoader snippet, ClassBytecodes each,
            boolean[] installed) throws ClassInstallException {
        try {
            // with JShell's lines: it does not yet tell of the snippet that they are of
            byte[] woven = Weaver.weave(each.bytecodes(), null);
            agent.redefine(snippet.own(each.name()), woven);
            snippet.redefined(each.name(), each.bytecodes());
        } catch (UnsupportedOperationException | LinkageError e) {
            // a changed shape: JShell then makes a new class instead
            throw new ClassInstallException(e.toString(), installed);
        }
    }

    /** Gives the classes in use of a snippet the lines of its cell, if they have others. */
    private static void relocate(SnippetLoader snippet) throws InternalException {
        Optional<AgentPowers> agent = Agent.powers();
        if (agent.isEmpty()) {
            return;
        }
        for (Map.Entry<String, byte[]> each : snippet.linedElsewhere().entrySet()) {
            try {
                agent.get().redefine(snippet.own(each.getKey()),
                        Weaver.weave(each.getValue(), snippet.lines()));
            } catch (UnsupportedOperationException | LinkageError e) {
                throw new InternalException(e.toString());
            }
        }
    }
}
