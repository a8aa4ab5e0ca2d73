package io.vramlab.kernel.internal.eval;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.tools.StandardJavaFileManager;
import jdk.jshell.JShell;
import jdk.jshell.SourceCodeAnalysis;

/**
 * An {@link Accelerator} that may be missing. It is given up, for the rest of the session and with one line in the
 * kernel's log, at the first thing it throws that is not the user's doing; {@value #SWITCH} set to {@code off} as a system
 * property, or {@value #VARIABLE} in the environment, does without from the start.
 */
public final class Acceleration {

    /** The system property. */
    public static final String SWITCH = "vramlab.accelerator";
    /** The environment variable. */
    public static final String VARIABLE = "VRAMLAB_ACCELERATOR";

    private static final Logger LOG = Logger.getLogger(Acceleration.class.getName());

    private Accelerator accelerator;
    private String reason;

    /**
     * Opens the accelerator.
     *
     * @param factory
     *            makes it
     */
    Acceleration(Accelerator.Factory factory, JShell shell, StandardJavaFileManager files,
            Map<String, byte[]> classFiles) {
        if (switchedOff()) {
            reason = "it was switched off";
            return;
        }
        try {
            accelerator = factory.open(shell, files, classFiles);
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            giveUp(e);
        }
    }

    /** Whether the user did. */
    public static boolean switchedOff() {
        return "off".equals(System.getProperty(SWITCH, System.getenv(VARIABLE)));
    }

    private void giveUp(Throwable cause) {
        if (cause instanceof OutOfMemoryError full) {
            throw full;
        }
        accelerator = null;
        reason = cause.toString();
        LOG.log(Level.WARNING, "cells run without the accelerator, more slowly and else the same: {0}", reason);
    }

    /** Why there is none; empty when there is one. */
    Optional<String> missing() {
        return Optional.ofNullable(reason);
    }

    /** Its compiler, if there is one. */
    Optional<Javac> javac() {
        return accelerator == null ? Optional.empty() : Optional.of(accelerator.javac());
    }

    /** Something of it failed in a way that no cell explains. */
    void failed(Throwable cause) {
        giveUp(cause);
    }

    /** As {@link Accelerator#reserve}; empty if it cannot be known. */
    Optional<Integer> reserve(Accelerator.Declaration declaration) {
        if (accelerator != null) {
            try {
                return Optional.of(accelerator.reserve(declaration));
            } catch (ReflectiveOperationException | RuntimeException | Error e) {
                giveUp(e);
            }
        }
        return Optional.empty();
    }

    /** As {@link Accelerator#announce}. */
    void announce(Accelerator.Declaration declaration) {
        if (accelerator != null) {
            try {
                accelerator.announce(declaration);
            } catch (ReflectiveOperationException | RuntimeException | Error e) {
                giveUp(e);
            }
        }
    }

    /** As {@link Accelerator#release}. */
    void release(Accelerator.Declaration declaration) {
        if (accelerator != null) {
            try {
                accelerator.release(declaration);
            } catch (ReflectiveOperationException | RuntimeException | Error e) {
                giveUp(e);
            }
        }
    }

    /** As {@link Accelerator#forget}; empty if JShell goes on keeping what it knows. */
    Optional<Set<String>> forget() {
        if (accelerator != null) {
            try {
                return Optional.of(accelerator.forget());
            } catch (ReflectiveOperationException | RuntimeException | Error e) {
                giveUp(e);
            }
        }
        return Optional.empty();
    }

    /** As {@link Accelerator#forgetClasses}. */
    void forgetClasses(Set<String> wrappers) {
        if (accelerator != null) {
            try {
                accelerator.forgetClasses(wrappers);
            } catch (RuntimeException | Error e) {
                giveUp(e);
            }
        }
    }

    /** As {@link Accelerator#rest}. What fails is not given up for it: compilers that stay only take memory. */
    void rest() {
        if (accelerator != null) {
            try {
                accelerator.rest();
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.log(Level.FINE, "JShell keeps its compilers: {0}", e.toString());
            }
        }
    }

    /** As {@link Accelerator#documentationSources}. */
    void documentationSources(SourceCodeAnalysis analysis, Set<Path> jars) {
        if (accelerator != null) {
            try {
                accelerator.documentationSources(analysis, jars);
            } catch (ReflectiveOperationException | RuntimeException | Error e) {
                giveUp(e);
            }
        }
    }
}
