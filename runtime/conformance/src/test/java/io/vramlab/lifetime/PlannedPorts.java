package io.vramlab.lifetime;

import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Ports of programs of which there is a recording without a GPU, counted as a cell is. */
final class PlannedPorts {

    private PlannedPorts() {
    }

    /** Those files of ports, compiled and woven. */
    static Map<String, byte[]> classes(String... files) throws Exception {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String each : files) {
            try (InputStream in = PlannedPorts.class.getResourceAsStream("/ports/" + each + ".java.txt")) {
                sources.put("woven/" + each, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        Map<String, byte[]> classes = new HashMap<>();
        Woven.compiled(sources).forEach((name, file) -> classes.put(name.replace('/', '.'), file));
        return classes;
    }

    /** The peaks of allocated and of reserved memory that a port has on a shapes-only H200. */
    static List<Long> peaks(Map<String, byte[]> classes, String file, String port) throws Exception {
        try (Device device = Device.shapesOnly("H200")) {
            Device.set(device);
            new Woven.Classes(classes).loadClass("woven." + file).getMethod(port).invoke(null);
            return List.of(Cuda.maxMemoryAllocated(), Cuda.maxMemoryReserved());
        }
    }
}
