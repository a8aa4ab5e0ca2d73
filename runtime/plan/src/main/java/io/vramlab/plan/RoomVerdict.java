package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import java.util.List;

/**
 * Whether a program has room on a GPU.
 *
 * @param failed
 *            the first of its runs that has not; where all have, the likely one without a limit
 * @param likely
 *            the likely run: in this room, where it needs more than that without a limit
 */
record RoomVerdict(FitVerdict verdict, ScriptReplay.Result failed, ScriptReplay.Result likely) {

    /** Of those runs, which took that much where they could. */
    static RoomVerdict of(ProgramTrace trace, DeviceProperties device, String settings, List<Run> runs,
            PeakRange peaks) {
        DeviceRoom whole = DeviceRoom.on(device);
        long room = PlanRuns.room(trace, device, settings);
        int fitting = 0;
        boolean released = false;
        ScriptReplay.Result failed = null;
        ScriptReplay.Result likely = peaks.likely();
        for (int i = 0; i < runs.size(); i++) {
            ScriptReplay.Result result = peaks.all().get(i);
            if (result.highest().reserved() > room) {
                result = runs.get(i).in(whole, settings, device.name());
                released |= result.failedAt() < 0
                        && result.highest().reserved() < peaks.all().get(i).highest().reserved();
                likely = i == 0 ? result : likely;
            }
            fitting += result.failedAt() < 0 ? 1 : 0;
            if (result.failedAt() >= 0 && failed == null) {
                failed = result;
            }
        }
        return new RoomVerdict(verdict(trace, fitting, released, room, peaks),
                failed == null ? peaks.likely() : failed, likely);
    }

    private static FitVerdict verdict(ProgramTrace trace, int fitting, boolean released, long room, PeakRange peaks) {
        if (fitting == 0 && (!peaks.eager() || peaks.least(result -> result.highest().reserved()) > room)) {
            return FitVerdict.DOES_NOT_FIT;
        }
        if (!trace.isComplete()) {
            return FitVerdict.INCOMPLETE;
        }
        if (fitting < peaks.all().size() || isTriedOut(trace.traits())
                || peaks.eager() && peaks.most(result -> result.highest().reserved()) > room) {
            return FitVerdict.DEPENDS;
        }
        return released ? FitVerdict.TIGHT : FitVerdict.FITS;
    }

    /** Whether cuDNN or the compiler was told to try kernels out, or to keep memory for graphs, of which no rule tells how much. */
    private static boolean isTriedOut(TraceTraits traits) {
        return traits.marks().contains("cudnn_benchmark") || traits.marks().contains("compiled_otherwise")
                || traits.isTriedWithoutPlans();
    }
}
