package io.vramlab.magics;

import io.vramlab.kernel.spi.SessionDefaults;
import java.util.List;

/** The names that a notebook about GPU memory uses every day; none of them is also a name in java.util. */
public final class EverydayImports implements SessionDefaults {

    @Override
    public List<String> imports() {
        return List.of("import io.vramlab.device.Device;", "import io.vramlab.device.DType;",
                "import io.vramlab.device.Event;", "import io.vramlab.memory.Cuda;",
                "import io.vramlab.memory.OutOfMemoryException;", "import io.vramlab.tensor.*;",
                "import tech.tablesaw.api.Table;");
    }
}
