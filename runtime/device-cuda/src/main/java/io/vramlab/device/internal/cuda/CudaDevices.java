package io.vramlab.device.internal.cuda;

import io.vramlab.device.ByteSize;
import io.vramlab.device.Device;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProvider;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import jcuda.driver.JCudaDriver;

/**
 * {@code cuda}: all real GPUs; {@code cuda:1}: that one alone, as {@code cuda:0}; {@code cuda:1/8GiB}: no more than so much
 * of its memory, as if it were a smaller card.
 */
public final class CudaDevices implements DeviceProvider {

    /** The oldest driver interface that takes our PTX. */
    private static final int OLDEST_DRIVER = 12000;
    private static final Pattern CHOICE = Pattern.compile("(\\d{1,4})(?:/(.+))?");

    @Override
    public String scheme() {
        return "cuda";
    }

    @Override
    public Device.Kind kind() {
        return Device.Kind.CUDA;
    }

    @Override
    public List<Supplier<DeviceDriver>> devices(String argument) {
        DriverCalls calls = DriverCalls.find().orElseThrow(() -> new DeviceException(
                "A real GPU was asked for; no NVIDIA driver is installed here (no libcuda.so.1)."));
        int count = count();
        if (argument.isBlank()) {
            return IntStream.range(0, count).mapToObj(i -> opening(i, Long.MAX_VALUE, calls)).toList();
        }
        Matcher m = CHOICE.matcher(argument.trim());
        int chosen = m.matches() ? Integer.parseInt(m.group(1)) : -1;
        if (chosen < 0 || chosen >= count) {
            throw new DeviceException("GPU \"" + argument + "\" was asked for; this machine has " + count
                    + ", numbered from 0. Write cuda:0, or cuda:0/8GiB to use no more than that of it.");
        }
        long limit = m.group(2) == null
                ? Long.MAX_VALUE
                : ByteSize.parse(m.group(2)).orElseThrow(() -> new DeviceException(
                        "\"" + m.group(2) + "\" of GPU " + chosen + " was asked for; write a size as 8GiB."));
        return List.of(opening(chosen, limit, calls));
    }

    private static Supplier<DeviceDriver> opening(int ordinal, long limitBytes, DriverCalls calls) {
        return () -> new CudaDriver(ordinal, limitBytes, calls);
    }

    private static int count() {
        JCudaNatives.load();
        require(JCudaDriver.cuInit(0), "initialised");
        int[] version = new int[1];
        require(JCudaDriver.cuDriverGetVersion(version), "asked for its version");
        if (version[0] < OLDEST_DRIVER) {
            throw new DeviceException("A real GPU was asked for; the installed NVIDIA driver knows CUDA "
                    + version[0] / 1000 + "." + version[0] % 1000 / 10 + " and 12.0 is needed: update the driver.");
        }
        int[] count = new int[1];
        require(JCudaDriver.cuDeviceGetCount(count), "asked for its devices");
        if (count[0] == 0) {
            throw new DeviceException("A real GPU was asked for; the NVIDIA driver sees none.");
        }
        return count[0];
    }

    private static void require(int code, String what) {
        if (code != CudaStatus.SUCCESS) {
            throw new DeviceException("A real GPU was asked for; the NVIDIA driver, when " + what + ", answered "
                    + CudaStatus.name(code) + ".");
        }
    }
}
