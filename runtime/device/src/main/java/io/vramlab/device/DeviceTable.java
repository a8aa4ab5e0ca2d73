package io.vramlab.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The devices of this process, by index. */
final class DeviceTable {

    private static final String DEFAULT = "sim:8GiB";

    private static DeviceTable process;

    private final Map<String, DeviceProvider> providers = new TreeMap<>();
    private final TreeMap<Integer, Device> gpus = new TreeMap<>();
    private Device cpu;
    private Device current;
    private String notice;
    private boolean realForSimulated = "real".equals(System.getenv("VRAMLAB_SIMULATED"));

    private DeviceTable(String text) {
        for (DeviceProvider p : ServiceLoader.load(DeviceProvider.class, DeviceProvider.class.getClassLoader())) {
            providers.put(p.scheme(), p);
        }
        try {
            select(text);
        } catch (DeviceException e) {
            if (realForSimulated) {
                throw e; // nobody who asks for real GPUs wants the figures of a simulated one
            }
            notice = "VRAMLAB_DEVICE=" + text + ": " + e.getMessage() + " Using a simulated GPU of 8 GiB.";
            select(DEFAULT);
        }
    }

    static synchronized DeviceTable process() {
        if (process == null) {
            String text = System.getProperty("vramlab.device", System.getenv("VRAMLAB_DEVICE"));
            process = new DeviceTable(text == null || text.isBlank() ? DEFAULT : text);
        }
        return process;
    }

    synchronized Device select(String text) {
        List<Device> chosen = new ArrayList<>();
        Device wanted = null;
        for (String one : text.split(",")) {
            Request r = request(one.trim());
            if (r.provider().kind() == Device.Kind.CPU) {
                wanted = wanted == null ? cpu() : wanted;
                continue;
            }
            r = standIn(r, chosen.size());
            for (Supplier<DeviceDriver> opening : r.provider().devices(r.argument())) {
                chosen.add(new Device(chosen.size(), r.provider().kind(), opening));
            }
            wanted = wanted == null ? chosen.getFirst() : wanted;
        }
        gpus.clear();
        chosen.forEach(d -> gpus.put(d.index(), d));
        current = wanted;
        return wanted;
    }

    synchronized Device add(String scheme, String argument) {
        Request r = standIn(new Request(provider(scheme), argument), free());
        return add(r.provider().kind(), r.provider().devices(r.argument()).getFirst());
    }

    synchronized Device add(Device.Kind kind, Supplier<DeviceDriver> opening) {
        Device d = new Device(free(), kind, opening);
        gpus.put(d.index(), d);
        return d;
    }

    private int free() {
        int index = 0;
        while (gpus.containsKey(index)) {
            index++;
        }
        return index;
    }

    synchronized void realForSimulated(boolean real) {
        realForSimulated = real;
    }

    synchronized boolean realForSimulated() {
        return realForSimulated;
    }

    synchronized void remove(Device device) {
        gpus.remove(device.index(), device);
        if (current == device) {
            current = gpus.isEmpty() ? cpu() : gpus.firstEntry().getValue();
        }
    }

    synchronized Device cpu() {
        if (cpu == null) {
            cpu = new Device(-1, Device.Kind.CPU, provider("cpu").devices("").getFirst());
        }
        return cpu;
    }

    synchronized Device gpu(int index) {
        Device d = gpus.get(index);
        if (d == null) {
            throw new DeviceException(String.format(Locale.ROOT,
                    "Device cuda:%d was asked for; there are %d GPUs here: %s. Add one with Device.simulated(\"8GiB\") "
                            + "or start with VRAMLAB_DEVICE=sim:8GiB,sim:8GiB.",
                    index, gpus.size(), gpus.values()));
        }
        return d;
    }

    synchronized List<Device> gpus() {
        return List.copyOf(gpus.values());
    }

    synchronized Device current() {
        return current;
    }

    synchronized void setCurrent(Device device) {
        current = device;
    }

    synchronized Optional<String> notice() {
        return Optional.ofNullable(notice);
    }

    private record Request(DeviceProvider provider, String argument) {
    }

    private Request standIn(Request r, int index) {
        if (r.provider().kind() != Device.Kind.SIMULATED || !realForSimulated) {
            return r;
        }
        DeviceProvider real = provider("cuda");
        int gpu = index % real.devices("").size();
        return new Request(real, gpu + "/" + DeviceProfile.of(r.argument()).totalBytes());
    }

    /** {@code scheme}, {@code scheme:argument}, or what a simulated device is made from. */
    private Request request(String text) {
        int colon = text.indexOf(':');
        String scheme = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
        DeviceProvider p = providers.get(scheme);
        return p == null
                ? new Request(provider("sim"), text)
                : new Request(p, colon < 0 ? "" : text.substring(colon + 1));
    }

    private DeviceProvider provider(String scheme) {
        DeviceProvider p = providers.get(scheme);
        if (p == null) {
            throw new DeviceException("Devices of the family \"" + scheme + "\" were asked for; the families here are "
                    + providers.keySet() + ". Check that vramlab-runtime is complete on the class path.");
        }
        return p;
    }
}
