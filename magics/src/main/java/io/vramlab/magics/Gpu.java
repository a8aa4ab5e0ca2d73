package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.option.Arguments;
import java.util.List;

/** The GPU that a magic is about. */
final class Gpu {

    /** Text of the option that all share. */
    static final String OPTION = "of GPU N instead of the current one";

    private Gpu() {
    }

    /** The one that {@code --device N} names, else the current one, else the first. */
    static Device of(Arguments arguments) throws UsageException {
        List<Device> gpus = Device.all();
        if (!arguments.has("device")) {
            Device current = Device.current();
            if (current.isCuda() || gpus.isEmpty()) {
                return current;
            }
            return gpus.get(0);
        }
        int index = arguments.number("device", 0, 0);
        return gpus.stream().filter(d -> d.index() == index).findFirst()
                .orElseThrow(() -> new UsageException("GPU " + index + " was asked for. There "
                        + (gpus.size() == 1 ? "is 1 GPU" : "are " + gpus.size() + " GPUs") + ": " + gpus
                        + ". See %device."));
    }
}
