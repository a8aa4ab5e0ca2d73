package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.magics.text.ReadableSizes;
import java.util.List;
import java.util.Locale;

/** The GPU that a magic is about. */
final class Gpu {

    /** Text of the option that all share. */
    static final String OPTION = "of GPU N instead of the current one";

    private Gpu() {
    }

    /** Names of GPUs that can be simulated, offered where one is to be named. */
    static List<String> profiles() {
        return DeviceProfile.all().stream().map(DeviceProperties::name).toList();
    }

    /** Its kind as tables show it: {@code shapes only}. */
    static String kind(Device device) {
        return device.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
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
                        + (gpus.size() == 1 ? "is " : "are ") + ReadableSizes.count(gpus.size(), "GPU") + ": " + gpus
                        + ". See %device."));
    }
}
