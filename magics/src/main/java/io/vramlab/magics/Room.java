package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.internal.whatif.WhatIf;
import java.util.ArrayList;
import java.util.List;

/**
 * What a GPU's allocator may hold in this session, which is what a replay of the session is held to.
 *
 * @param device
 *            its name
 * @param limit
 *            the limit by fraction in bytes, 0 for none
 * @param capacity
 *            what the allocator has and what is free beside it: on a real GPU less than its memory
 * @param conf
 *            the settings in force
 */
record Room(String device, long limit, long capacity, String conf) {

    /** Nothing is known of the device of a file. */
    static final Room ENDLESS = new Room("", 0, 0, "");

    static Room of(Device device) {
        Allocator allocator = Allocators.of(device);
        double fraction = allocator.memoryFraction();
        return new Room(device.name(), fraction < 1 ? (long) (fraction * device.properties().totalBytes()) : 0,
                allocator.stats().reservedBytes() + device.driver().freeBytes(),
                allocator instanceof CachingAllocator caching ? caching.settings().text() : "");
    }

    /** The settings to try: those in force first. */
    List<String> settings(boolean bounded) {
        List<String> settings = new ArrayList<>(WhatIf.sensibleSettings(bounded));
        settings.remove(conf);
        settings.addFirst(conf);
        return settings;
    }

    /** What the replay was held to, for a note. */
    String words() {
        return "Replayed within what " + device + " has for this session, " + ReadableSizes.both(capacity)
                + (limit > 0 ? ", and the limit of %memory_fraction, " + ReadableSizes.both(limit) : "")
                + "; --limit and --on try others.";
    }
}
