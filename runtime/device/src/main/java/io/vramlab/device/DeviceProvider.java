package io.vramlab.device;

import java.util.List;
import java.util.function.Supplier;

/**
 * A family of devices. Found through {@link java.util.ServiceLoader}; adding a family is adding one class.
 */
public interface DeviceProvider {

    /** {@return the word that chooses this family in a device text, for instance {@code sim} in {@code sim:80GiB}} */
    String scheme();

    /** {@return what its devices are} */
    Device.Kind kind();

    /**
     * The devices that the rest of a device text names. Nothing is opened yet: each supplier is called when its device is
     * first used, and once.
     *
     * @param argument
     *            what followed the colon; empty if nothing did
     * @return at least one
     * @throws DeviceException
     *             if there is no such device, in one line that a user can act on
     */
    List<Supplier<DeviceDriver>> devices(String argument);
}
