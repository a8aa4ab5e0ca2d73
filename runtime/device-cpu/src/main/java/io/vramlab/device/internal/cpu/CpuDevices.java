package io.vramlab.device.internal.cpu;

import com.sun.management.OperatingSystemMXBean;
import io.vramlab.device.Device;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceProvider;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Supplier;

/** {@code cpu}: as much as the machine, or the container, has. */
public final class CpuDevices implements DeviceProvider {

    @Override
    public String scheme() {
        return "cpu";
    }

    @Override
    public Device.Kind kind() {
        return Device.Kind.CPU;
    }

    @Override
    public List<Supplier<DeviceDriver>> devices(String argument) {
        return List.of(() -> new CpuDriver(
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize()));
    }
}
