package io.vramlab.device;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * GPUs that can be simulated by name. Processor figures are those of NVIDIA's published specifications and CUDA's
 * compute-capability table; the capacity is the nominal one in GiB except where a real card's
 * {@code cudaDeviceProp.totalGlobalMem} was measured. (A card reports about 1 % less than its nominal capacity: write
 * {@code sim:79.1GiB} where that matters.)
 */
public final class DeviceProfile {

    /** The H200 as the recorder of PyTorch programs names it, like the others with its size; and the H100 that most people have. */
    private static final Map<String, String> SHORT_NAMES = Map.of("h200141gb", "h200", "h100", "h10080gb");

    private static final long GIB = 1L << 30;

    private static final List<DeviceProperties> ALL = List.of(
            // measured: device_total of the recorded PyTorch traces
            profile("H200", 150_109_880_320L, 132, 2048, 9, 0), //
            profile("H100-80GB", 80 * GIB, 132, 2048, 9, 0), //
            profile("H100-PCIE-80GB", 80 * GIB, 114, 2048, 9, 0), //
            profile("B200", 180 * GIB, 148, 2048, 10, 0), //
            profile("A100-40GB", 40 * GIB, 108, 2048, 8, 0), //
            profile("A100-80GB", 80 * GIB, 108, 2048, 8, 0), //
            profile("V100-16GB", 16 * GIB, 80, 2048, 7, 0), //
            profile("V100-32GB", 32 * GIB, 80, 2048, 7, 0), //
            profile("L40S", 48 * GIB, 142, 1536, 8, 9), //
            profile("L4", 24 * GIB, 58, 1536, 8, 9), //
            profile("A10G", 24 * GIB, 80, 1536, 8, 6), //
            profile("T4", 16 * GIB, 40, 1024, 7, 5), //
            profile("RTX-5090", 32 * GIB, 170, 1536, 12, 0), //
            profile("RTX-4090", 24 * GIB, 128, 1536, 8, 9), //
            profile("RTX-4060-8GB", 8 * GIB, 24, 1536, 8, 9), //
            profile("RTX-3090", 24 * GIB, 82, 1536, 8, 6), //
            profile("RTX-3060-12GB", 12 * GIB, 28, 1536, 8, 6));

    private DeviceProfile() {
    }

    private static DeviceProperties profile(String name, long bytes, int processors, int threads, int major,
            int minor) {
        return new DeviceProperties(name, bytes, processors, threads, 32, major, minor);
    }

    /** {@return every profile, largest families first} */
    public static List<DeviceProperties> all() {
        return ALL;
    }

    /**
     * {@return the profile of that name, or the only one whose name begins so; H100 is the one of SXM}
     *
     * @param name
     *            for instance {@code H100-80GB}, {@code rtx 4090} or {@code NVIDIA L4}: case, spaces, hyphens and the maker
     *            do not matter
     */
    public static Optional<DeviceProperties> find(String name) {
        String asked = plain(name);
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        String known = SHORT_NAMES.getOrDefault(asked, asked);
        List<DeviceProperties> begun = ALL.stream().filter(p -> plain(p.name()).startsWith(known)).toList();
        return ALL.stream().filter(p -> plain(p.name()).equals(known)).findFirst()
                .or(() -> begun.size() == 1 ? Optional.of(begun.getFirst()) : Optional.empty());
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_\\s]|nvidia|geforce|tesla", "");
    }

    /**
     * What a text describes: a profile's name, a size, or both as {@code H100-80GB:79.1GiB}. A size alone gives a device
     * with the H200's processors, whose scratch sizes the recorded PyTorch runs have; empty text means 8 GiB.
     *
     * @param text
     *            what follows {@code sim:}
     * @return the device's properties, its name beginning with "Simulated "
     * @throws DeviceException
     *             if it is neither
     */
    public static DeviceProperties of(String text) {
        String spec = text.isBlank() ? "8GiB" : text.trim();
        Optional<DeviceProperties> named = find(spec);
        if (named.isPresent()) {
            return simulated(named.get(), named.get().name(), named.get().totalBytes());
        }
        int colon = spec.indexOf(':');
        Optional<DeviceProperties> base = find(colon < 0 ? "H200" : spec.substring(0, colon));
        Optional<Long> bytes = ByteSize.parse(spec.substring(colon + 1));
        if (base.isEmpty() || bytes.isEmpty()) {
            throw new DeviceException(String.format(Locale.ROOT,
                    "A simulated device \"%s\" was asked for; that is neither a size nor a known GPU. "
                            + "Write a size as 8GiB or one of: %s.",
                    spec, String.join(", ", ALL.stream().map(DeviceProperties::name).toList())));
        }
        return simulated(base.get(), colon < 0 ? spec : spec.substring(0, colon), bytes.get());
    }

    private static DeviceProperties simulated(DeviceProperties p, String name, long bytes) {
        return new DeviceProperties("Simulated " + name, bytes, p.multiProcessorCount(),
                p.maxThreadsPerMultiProcessor(), p.warpSize(), p.major(), p.minor());
    }
}
