package io.vramlab.device.internal.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.vramlab.device.DeviceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Kernels from one PTX text among this package's resources; the driver compiles it when it is first asked for one. */
final class PtxModule {

    /** A kernel. */
    record Function(String name, long handle) {
    }

    private final CudaContext context;
    private final String resource;
    private final Map<String, Function> functions = new ConcurrentHashMap<>();
    private long module;

    /**
     * Kernels that are compiled later.
     *
     * @param name
     *            the resource's name without {@code .ptx}
     */
    PtxModule(CudaContext context, String name) {
        this.context = context;
        this.resource = name + ".ptx";
    }

    /** The kernel of that name. */
    Function function(String name) {
        Function f = functions.get(name);
        return f != null ? f : functions.computeIfAbsent(name, this::find);
    }

    private synchronized Function find(String name) {
        context.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            if (module == 0) {
                context.status().check(context.calls().loadModule(out, arena.allocateFrom(text(resource))),
                        "Compiling " + resource);
                module = out.get(JAVA_LONG, 0);
            }
            context.status().check(context.calls().getFunction(out, module, arena.allocateFrom(name)),
                    "The kernel " + name + " of " + resource);
            return new Function(name, out.get(JAVA_LONG, 0));
        }
    }

    /** Gives the kernels' memory on the device back. */
    synchronized void close() {
        if (module != 0 && !context.status().isLost()) {
            context.status().check(context.calls().unloadModule(module), "Unloading " + resource);
        }
        module = 0;
        functions.clear();
    }

    /** The text of a PTX resource. */
    static String text(String resource) {
        try (InputStream in = PtxModule.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new DeviceException(
                        "The kernels " + resource + " were asked for; they are not on the class path. "
                                + "Add vramlab-runtime whole.");
            }
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException("The kernels " + resource + " could not be read from the class path", e);
        }
    }
}
