package io.vramlab.kernel.judge;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import jdk.jshell.JShell;
import jdk.jshell.VarSnippet;
import jdk.jshell.execution.DirectExecutionControl;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;
import jdk.jshell.spi.SPIResolutionException;

/** JShell's execution in its own process, with values and exceptions as objects instead of text. */
final class StockControl extends DirectExecutionControl implements ExecutionControlProvider {

    private Object value;
    private Throwable thrown;
    private Field asked;

    @Override
    public String name() {
        return "stock";
    }

    @Override
    public ExecutionControl generate(ExecutionEnv environment, Map<String, String> parameters) {
        return this;
    }

    void clear() {
        value = null;
        thrown = null;
    }

    Object value() {
        return value;
    }

    Throwable thrown() {
        return thrown;
    }

    @Override
    protected String invoke(Method method) throws Exception {
        clear();
        try {
            value = method.invoke(null);
        } catch (InvocationTargetException e) {
            thrown = e.getCause();
            if (thrown instanceof SPIResolutionException unresolved) {
                throw new ResolutionException(unresolved.id(), new StackTraceElement[0]);
            }
            throw new UserException("", thrown.getClass().getName(), new StackTraceElement[0]);
        }
        return "";
    }

    @Override
    public String varValue(String className, String varName) throws InternalException {
        try {
            asked = findClass(className).getField(varName);
            asked.setAccessible(true);
        } catch (ClassNotFoundException | NoSuchFieldException e) {
            throw new InternalException(e.toString());
        }
        return "";
    }

    Object get(JShell shell, VarSnippet variable) {
        try {
            shell.varValue(variable);
            return asked.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sets a variable; false if the value is not of its type. */
    boolean set(JShell shell, VarSnippet variable, Object former) {
        try {
            shell.varValue(variable);
            asked.set(null, former);
            return true;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        } catch (IllegalArgumentException | NullPointerException e) {
            return false;
        }
    }
}
