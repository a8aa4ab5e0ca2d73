package io.vramlab.device.internal.sim;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.DeviceProvider;
import java.util.List;
import java.util.function.Supplier;

/** {@code sim}, {@code sim:8GiB}, {@code sim:H100-80GB}. */
public final class SimulatedDevices implements DeviceProvider {

    @Override
    public String scheme() {
        return "sim";
    }

    @Override
    public Device.Kind kind() {
        return Device.Kind.SIMULATED;
    }

    @Override
    public List<Supplier<DeviceDriver>> devices(String argument) {
        DeviceProperties properties = DeviceProfile.of(argument);
        return List.of(() -> new SimulatedDriver(properties));
    }
}
