package io.vramlab.device;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * GPUs that can be simulated by name, with the memory that CUDA reports of them: 21.96 GiB of an L4, not the nominal 24. Another size is
 * written behind the name, {@code L4:22GiB}.
 */
public final class DeviceProfile {

    /** Words in names that tell GPUs of this list apart from no other. */
    private static final String SAYS_NOTHING = "\\b(nvidia|geforce|tesla|generation|blackwell|(workstation|server) edition|sxm\\d?|hbm\\de?)\\b";

    private DeviceProfile() {
    }

    /** {@return every profile, largest families first} */
    public static List<DeviceProperties> all() {
        return KnownGpus.ALL;
    }

    /**
     * {@return the profile of that name, or the only one whose name begins so; H100 is the one of SXM}
     *
     * @param name
     *            for instance {@code H100-80GB}, {@code rtx 4090}, {@code A6000} or, as CUDA says, {@code NVIDIA L4}: case, blanks,
     *            hyphens and the maker do not matter
     */
    public static Optional<DeviceProperties> find(String name) {
        String asked = plain(name);
        Optional<DeviceProperties> found = asked.isEmpty() ? Optional.empty() : called(asked);
        return found.isPresent() || !asked.contains("pcie") ? found : find(asked.replace("pcie", ""));
    }

    private static Optional<DeviceProperties> called(String asked) {
        String known = plain(KnownGpus.CALLED.getOrDefault(asked, asked));
        List<DeviceProperties> begun = all().stream().filter(p -> begins(plain(p.name()), known)).toList();
        return all().stream().filter(p -> plain(p.name()).equals(known)).findFirst()
                .or(() -> begun.size() == 1 ? Optional.of(begun.getFirst()) : Optional.empty());
    }

    /** An RTX A6000 is called A6000, too; an RTX 4090 not 4090, which is a size. */
    private static boolean begins(String name, String asked) {
        return name.startsWith(asked)
                || Character.isLetter(asked.charAt(0)) && name.startsWith("rtx") && name.startsWith(asked, 3);
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_\\s]+", " ").replaceAll(SAYS_NOTHING, "").replace(" ", "");
    }

    /**
     * What a text describes: a profile's name, a size, or both as {@code H100-80GB:80GiB}. A size alone gives a device
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
        List<String> meant = meant(spec);
        if (!meant.isEmpty()) {
            throw new DeviceException(
                    String.format(Locale.ROOT, "A simulated device \"%s\" was asked for; that is no GPU%s. Write %s.",
                            spec,
                            Character.isDigit(spec.charAt(0))
                                    ? "'s name, and as a size it would be that many bytes"
                                    : " but several's name",
                            String.join(" or ", meant)));
        }
        int colon = spec.indexOf(':');
        Optional<DeviceProperties> base = find(colon < 0 ? "H200" : spec.substring(0, colon));
        Optional<Long> bytes = ByteSize.parse(spec.substring(colon + 1));
        if (base.isEmpty() || bytes.isEmpty()) {
            throw new DeviceException(String.format(Locale.ROOT,
                    "A simulated device \"%s\" was asked for; that is neither a size nor a known GPU. "
                            + "Write a size as 8GiB or one of: %s.",
                    spec, String.join(", ", all().stream().map(DeviceProperties::name).toList())));
        }
        return simulated(base.get(), colon < 0 ? spec : spec.substring(0, colon), bytes.get());
    }

    /** The GPUs whose names hold that number, or begin so. */
    private static List<String> meant(String spec) {
        return all().stream().map(DeviceProperties::name)
                .filter(name -> spec.matches("\\d{3,4}")
                        ? name.contains(spec)
                        : Character.isLetter(spec.charAt(0)) && !plain(spec).isEmpty()
                                && begins(plain(name), plain(spec)))
                .toList();
    }

    private static DeviceProperties simulated(DeviceProperties p, String name, long bytes) {
        return new DeviceProperties("Simulated " + name, bytes, p.multiProcessorCount(),
                p.maxThreadsPerMultiProcessor(), p.warpSize(), p.major(), p.minor());
    }
}
