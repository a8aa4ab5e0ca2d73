package io.vramlab.magics;

import io.vramlab.kernel.spi.SessionDefaults;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names that a notebook about GPU memory uses every day. None of them is also a name in the JDK packages that every
 * session imports, except those that are imported one by one and so win, as {@code Module}. {@code Stream} stays the JDK's:
 * write {@code io.vramlab.device.Stream} for the device's.
 */
public final class EverydayImports implements SessionDefaults {

    /** Packages as a whole. */
    static final List<String> PACKAGES = List.of("io.vramlab.amp", "io.vramlab.autograd", "io.vramlab.data",
            "io.vramlab.magics.claim", "io.vramlab.magics.course", "io.vramlab.memory", "io.vramlab.nn",
            "io.vramlab.optim", "io.vramlab.tensor");

    /** Classes one by one. */
    static final List<String> CLASSES = List.of("io.vramlab.device.ByteSize", "io.vramlab.device.Device",
            "io.vramlab.device.DeviceException", "io.vramlab.device.DeviceFaultException",
            "io.vramlab.device.DeviceProfile", "io.vramlab.device.DType", "io.vramlab.device.Event",
            "io.vramlab.device.Simulation", "io.vramlab.nn.Module", "io.vramlab.tensor.type.AutogradException",
            "io.vramlab.tensor.type.Generator", "io.vramlab.tensor.type.Kind", "io.vramlab.tensor.type.MemoryFormat",
            "io.vramlab.tensor.type.Shape", "io.vramlab.tensor.type.TensorException",
            "io.vramlab.footprint.AttentionBackend",
            "io.vramlab.tensor.type.SdpaKernel", "io.vramlab.tensor.type.Slice",
            "io.vramlab.tensor.type.Reduction", "tech.tablesaw.api.Table");

    @Override
    public List<String> imports() {
        return Stream.concat(PACKAGES.stream().map(p -> "import " + p + ".*;"),
                CLASSES.stream().map(c -> "import " + c + ";")).toList();
    }
}
