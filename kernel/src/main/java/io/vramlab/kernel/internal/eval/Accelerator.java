package io.vramlab.kernel.internal.eval;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.tools.StandardJavaFileManager;
import jdk.jshell.JShell;
import jdk.jshell.SourceCodeAnalysis;

/**
 * What makes cells faster and a long session lighter, and reaches into the insides of JShell and javac for it. Cells run
 * the same without it: every use may fail, and {@link Acceleration} then does without from there on.
 */
public interface Accelerator {

    /** Makes an accelerator for a session. */
    @FunctionalInterface
    interface Factory {

        /**
         * Opens what it needs.
         *
         * @param shell
         *            the session's JShell
         * @param files
         *            the file manager of its compilers, with the class path
         * @param classFiles
         *            the class files of cells' declarations by name, as they are at any time
         * @throws ReflectiveOperationException
         *             if this JVM does not have it or does not let it be had; so does whatever else is thrown
         */
        Accelerator open(JShell shell, StandardJavaFileManager files, Map<String, byte[]> classFiles)
                throws ReflectiveOperationException;
    }

    /** What a cell can declare. */
    enum Declared {
        TYPE, METHOD, VARIABLE
    }

    /**
     * A declaration, as JShell tells one from the other.
     *
     * @param kind
     *            what it declares
     * @param name
     *            of the type, method or variable
     * @param signature
     *            for a method, the types of its parameters as they are written, joined by commas; else null
     */
    record Declaration(Declared kind, String name, String signature) {
    }

    /** A compiler that need not begin anew for every piece. */
    Javac javac();

    /** The number that JShell will give the class of a declaration that it has not seen yet, once it is {@link #announce}d. */
    int reserve(Declaration declaration) throws ReflectiveOperationException;

    /** Now JShell is about to see it. */
    void announce(Declaration declaration) throws ReflectiveOperationException;

    /** Forgets a declaration that did not come to be. */
    void release(Declaration declaration) throws ReflectiveOperationException;

    /**
     * Makes JShell forget the snippets that are declared again, dropped, refused or done.
     *
     * @return the wrappers of those that are left
     */
    Set<String> forget() throws ReflectiveOperationException;

    /** Makes JShell forget that the classes of these wrappers were loaded: they are no more, and their names can be used again. */
    void forgetClasses(Set<String> wrappers);

    /** Makes JShell forget its compilers and what they know of the JDK's classes; its next declaration or completion makes one. */
    void rest() throws ReflectiveOperationException;

    /** Lets JShell read doc comments in these jars of sources, beside the JDK's own. */
    void documentationSources(SourceCodeAnalysis analysis, Set<Path> jars) throws ReflectiveOperationException;
}
