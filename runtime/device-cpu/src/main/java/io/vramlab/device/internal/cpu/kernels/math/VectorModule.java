package io.vramlab.device.internal.cpu.kernels.math;

import java.lang.reflect.InvocationTargetException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The JVM's Vector API. Its module incubates, so a JVM has it only when told: at its start, by {@code --add-modules
 * jdk.incubator.vector}, or here, at the first use. Here is better, because a JVM that is told at its start cannot take
 * its modules from an archive, which costs every start a tenth of a second. It needs what the manifest of {@code
 * vramlab.jar} exports.
 */
public final class VectorModule {

    private static final Logger LOG = Logger.getLogger(VectorModule.class.getName());
    private static final String NAME = "jdk.incubator.vector";
    /** Loads a module of the JDK behind the boot layer, with the loader that it would have had in it. */
    private static final String LOADER = "jdk.internal.module.Modules";

    /** Asks once. */
    private static final class Answer {

        private static final boolean PRESENT = ModuleLayer.boot().findModule(NAME).isPresent() || load();

        private Answer() {
        }
    }

    private VectorModule() {
    }

    /** Whether classes of the Vector API can be used, from now on. */
    public static boolean present() {
        return Answer.PRESENT;
    }

    private static boolean load() {
        try {
            Class.forName(LOADER).getMethod("loadModule", String.class).invoke(null, NAME);
            return true;
        } catch (IllegalAccessException | ClassNotFoundException | NoSuchMethodException notForUs) {
            LOG.log(Level.FINE, "plain loops instead of vectors: {0}", notForUs.toString());
        } catch (InvocationTargetException missing) {
            LOG.log(Level.FINE, "plain loops instead of vectors: {0}", missing.getCause().toString());
        }
        return false;
    }
}
