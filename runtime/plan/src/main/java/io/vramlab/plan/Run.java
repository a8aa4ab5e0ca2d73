package io.vramlab.plan;

/**
 * One replay of a program.
 *
 * @param script
 *            what it takes
 * @param order
 *            where segments lie
 * @param lags
 *            whether the GPU lags behind the program as far as may be; else it keeps up
 */
record Run(Script script, Placement order, boolean lags) {

    /** On a device with as much memory as it likes; done once. */
    ScriptReplay.Result endless(EndlessReplays replays, String settings, String device) {
        return replays.of(script, settings, order, lags, device);
    }

    /** On a device with that much room. */
    ScriptReplay.Result in(DeviceRoom room, String settings, String device) {
        return lags
                ? ScriptReplay.lagging(script, settings, order, device, room)
                : ScriptReplay.run(script, settings, order, device, room);
    }
}
