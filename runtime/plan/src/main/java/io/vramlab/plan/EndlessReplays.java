package io.vramlab.plan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** EndlessReplays on a device with more memory than any has, each done once: scripts that take the same come to the same, whatever GPU they are for. */
final class EndlessReplays {

    private record Replay(Script script, String settings, Placement order, boolean lags) {

        ScriptReplay.Result run(String device) {
            return lags
                    ? ScriptReplay.lagging(script, settings, order, device, DeviceRoom.ENDLESS)
                    : ScriptReplay.run(script, settings, order, device, DeviceRoom.ENDLESS);
        }
    }

    private final Map<Replay, ScriptReplay.Result> done = new ConcurrentHashMap<>();

    ScriptReplay.Result of(Script script, String settings, Placement order, boolean lags, String device) {
        return done.computeIfAbsent(new Replay(script, settings, order, lags), replay -> replay.run(device));
    }
}
