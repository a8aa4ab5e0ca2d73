package io.vramlab.device.internal.dry;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.DeviceProvider;
import java.util.List;
import java.util.function.Supplier;

/** {@code shapes}, {@code shapes:H200}, {@code shapes:1TiB}. */
public final class DryDevices implements DeviceProvider {

    @Override
    public String scheme() {
        return "shapes";
    }

    @Override
    public Device.Kind kind() {
        return Device.Kind.SHAPES_ONLY;
    }

    @Override
    public List<Supplier<DeviceDriver>> devices(String argument) {
        DeviceProperties properties = DeviceProfile.of(argument);
        return List.of(() -> new DryDriver(properties));
    }
}
