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
    static final List<String> PACKAGES = List.of("io.vramlab.nn", "io.vramlab.tensor");

    /** Classes one by one. */
    static final List<String> CLASSES = List.of("io.vramlab.amp.Autocast", "io.vramlab.amp.GradScaler",
            "io.vramlab.autograd.Autograd", "io.vramlab.autograd.Checkpoint", "io.vramlab.autograd.EnableGrad",
            "io.vramlab.autograd.InferenceMode", "io.vramlab.autograd.NoGrad", "io.vramlab.data.Batch",
            "io.vramlab.data.DataLoader",
            "io.vramlab.data.Dataset", "io.vramlab.data.TensorDataset", "io.vramlab.device.Device",
            "io.vramlab.device.DType", "io.vramlab.device.Event", "io.vramlab.memory.Cuda", "io.vramlab.memory.MemPool",
            "io.vramlab.memory.OutOfMemoryException", "io.vramlab.nn.Module", "io.vramlab.optim.Adam",
            "io.vramlab.optim.AdamW", "io.vramlab.optim.CosineAnnealingLR", "io.vramlab.optim.LambdaLR",
            "io.vramlab.optim.OneCycleLR", "io.vramlab.optim.Optimizer", "io.vramlab.optim.ParamGroup",
            "io.vramlab.optim.SGD", "io.vramlab.optim.StepLR", "tech.tablesaw.api.Table");

    @Override
    public List<String> imports() {
        return Stream.concat(PACKAGES.stream().map(p -> "import " + p + ".*;"),
                CLASSES.stream().map(c -> "import " + c + ";")).toList();
    }
}
