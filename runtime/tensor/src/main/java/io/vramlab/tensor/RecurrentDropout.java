package io.vramlab.tensor;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.RecurrentLibrary;
import io.vramlab.device.RecurrentShape;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Storage;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Generator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where cuDNN keeps the random numbers of dropout between layers: one piece of memory for a device, taken when a network first
 * drops and, after its generator was seeded, again before the old one goes (PyTorch's get_dropout_state). It stays.
 */
final class RecurrentDropout {

    /** Bytes of a state of cuDNN's generator; there is one for each thread that the device can hold. */
    private static final long STATE = 24;

    private static final Map<Device, Storage> ALL = new HashMap<>();

    private RecurrentDropout() {
    }

    private static long bytes(TensorImpl on) {
        DeviceProperties p = on.driver().properties();
        return STATE * p.multiProcessorCount() * p.maxThreadsPerMultiProcessor();
    }

    /** For a network that drops with that probability. */
    static RecurrentShape.Dropout of(TensorImpl x, double p) {
        synchronized (ALL) {
            Device device = x.device();
            Generator generator = Generator.of(device);
            Storage known = ALL.get(device);
            boolean fresh = generator.takeRestart();
            if (known == null || fresh) {
                Optional<RecurrentLibrary> library = x.driver().kernels().recurrent();
                Scratch.during(device, Long.BYTES, address -> {
                });
                known = Storage.allocate(device, library.map(RecurrentLibrary::dropoutBytes).orElse(bytes(x)));
                Storage before = ALL.put(device, known);
                if (library.isPresent()) {
                    long seed = generator.initialSeed() + generator.take(1);
                    library.get().seedDropout(new RecurrentShape.Dropout(p, known.address(), known.bytes()), seed,
                            x.stream());
                }
                if (before != null) {
                    before.release();
                }
            }
            return new RecurrentShape.Dropout(p, known.address(), known.bytes());
        }
    }
}
