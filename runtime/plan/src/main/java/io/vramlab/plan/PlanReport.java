package io.vramlab.plan;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.vramlab.device.DeviceProperties;
import io.vramlab.memory.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What plans of one program say, as a text for people and as JSON for programs. */
public final class PlanReport {

    private static final int MOST_SHARES = 12;

    private PlanReport() {
    }

    /**
     * A text.
     *
     * @param plans
     *            one per setting on the device that was asked for
     * @param others
     *            plans for other GPUs, of which only the verdict is told; may be empty
     */
    public static String text(ProgramTrace trace, List<Plan> plans, List<Plan> others) {
        StringBuilder text = new StringBuilder();
        DeviceProperties device = plans.getFirst().device();
        line(text, "%s, recorded for %s, planned for %s (%s)", trace.script(), trace.device(), device.name(),
                Sizes.both(device.totalBytes()));
        if (!trace.isComplete()) {
            line(text, "The recording ends before the program does: what follows is a lower bound.");
        }
        Plan first = plans.getFirst();
        if (first.allocations() == 0) {
            line(text,
                    "%nNothing was put on a GPU%s, so there is nothing to plan: what runs on the CPU takes none of its memory."
                            + " Move the model and its input to \"cuda\", which the recorder takes without a GPU, and record it again.",
                    trace.isComplete() ? "" : " before the recording ended");
            return text.toString().stripTrailing();
        }
        for (Plan plan : plans) {
            setting(text, plan);
        }
        line(text, "%nThe peak is reached in %s. Who holds it, and in how many blocks:", first.peakAt());
        List<AlikeShares> shares = AlikeShares.of(first.holders());
        for (AlikeShares share : shares.subList(0, Math.min(MOST_SHARES, shares.size()))) {
            line(text, "  %38s  %5.1f %%  %s (%,d)", Sizes.both(share.bytes()),
                    100.0 * share.bytes() / Math.max(1, first.highestAllocated()), share.words(), share.count());
        }
        if (shares.size() > MOST_SHARES) {
            long rest = shares.subList(MOST_SHARES, shares.size()).stream().mapToLong(AlikeShares::bytes).sum();
            line(text, "  and %,d more, %s together", shares.size() - MOST_SHARES, Sizes.both(rest));
        }
        long stateless = first.highestAllocatedWithoutState();
        if (stateless < first.highestAllocated()) {
            line(text,
                    "%nPlain SGD, which keeps no state, would need %s, %s less (replayed). A smaller batch, autocast and"
                            + " checkpointing change the operations: record the program with them, and see vramlab diff.",
                    Sizes.both(stateless), Sizes.both(first.highestAllocated() - stateless));
        }
        line(text, "%nOutside of the allocator: about %s for CUDA's context and loaded kernels, %s.",
                Sizes.both(Outside.context(device)), Outside.source(device));
        if (!others.isEmpty()) {
            line(text, "%n%s", String.join("\n", GpuList.lines(plans, others)));
        }
        withoutARule(first).ifPresent(words -> line(text, "%n%s", words));
        told(text, "Workspaces of these are cuDNN's choice; what is counted for them is an estimate: ",
                first.estimated());
        if (first.isScaled()) {
            line(text,
                    "%nGradScaler skips the first steps if its first scale makes gradients infinite, and the optimizer's state"
                            + " is made later: counted is that all are taken, the range also has that the first are not.");
        }
        if (!trace.notes().isEmpty()) {
            line(text, "%nThe recorder had to guess:");
            trace.notes().forEach(note -> line(text, "  %s", note));
        }
        return text.toString().stripTrailing();
    }

    /** Names the operations without a rule and says what is counted for them, as the command and {@code %plan} tell it. */
    public static Optional<String> withoutARule(Plan plan) {
        return plan.unknownPlaces().isEmpty()
                ? Optional.empty()
                : Optional.of("Counted with their results alone, because no rule says what they take inside: "
                        + String.join(", ", plan.unknownPlaces())
                        + ". The range goes up to eight times what they read and make.");
    }

    private static void setting(StringBuilder text, Plan plan) {
        line(text, "%n%s: %s", plan.settings().isEmpty() ? "default settings" : plan.settings(), verdict(plan));
        String choice = choice(plan);
        line(text, "  peak allocated  %s%s", Sizes.both(plan.allocated()),
                choice.isEmpty() ? "" : range(plan.leastAllocated(), plan.mostAllocated(), choice));
        line(text, "  peak reserved   %s%s", Sizes.both(plan.reserved()),
                range(plan.leastReserved(), plan.mostReserved(),
                        choice.isEmpty()
                                ? "where the driver places segments"
                                : choice + ", where the driver places segments"));
        if (plan.reservedOnDevice() > 0 && plan.reservedOnDevice() < plan.highestReserved()) {
            line(text,
                    "  both without a limit; on this GPU cached memory is given back where room is short, and at most %s are reserved",
                    Sizes.both(plan.reservedOnDevice()));
        }
        if (plan.isReset()) {
            line(text,
                    "  both since the program's last reset_peak_memory_stats(); in the whole run %s allocated, %s reserved",
                    Sizes.both(plan.highestAllocated()), Sizes.both(plan.highestReserved()));
        }
        if (!plan.failedAt().isEmpty()) {
            line(text, "  memory runs out in %s", plan.failedAt());
            line(text, "  %s", plan.failure().lines().findFirst().orElse(""));
        }
    }

    /** What is estimated, and so what the range is over; empty where nothing is. */
    private static String choice(Plan plan) {
        List<String> why = new ArrayList<>();
        if (!plan.estimated().isEmpty()) {
            why.add("what cuDNN chooses");
        }
        if (!plan.withoutAnEntry().isEmpty()) {
            why.add("what operations without a rule take");
        }
        if (plan.lingers()) {
            why.add("when NCCL's watchdog lets go of what it was given");
        }
        if (plan.waits()) {
            why.add("when autograd's thread lets go of what gradients within the program left");
        }
        if (plan.isEagerForm()) {
            why.add("what the compiled form takes, of which the eager one is counted");
        }
        if (plan.isSharedOut()) {
            why.add("how tokens are shared out among experts");
        }
        if (plan.isScaled()) {
            why.add("how many optimizer steps GradScaler skips at first");
        }
        return why.size() < 2
                ? String.join("", why)
                : String.join(", ", why.subList(0, why.size() - 1)) + " and " + why.getLast();
    }

    private static String verdict(Plan plan) {
        return plan.verdict().text();
    }

    private static String range(long least, long most, String why) {
        return least == most
                ? ""
                : ", between " + Sizes.both(least) + " and " + Sizes.both(most) + ", depending on " + why;
    }

    private static void told(StringBuilder text, String what, Map<String, Integer> operations) {
        if (!operations.isEmpty()) {
            line(text, "%n%s%s.", what, String.join(", ",
                    operations.entrySet().stream().map(e -> e.getKey() + " (" + e.getValue() + ")").toList()));
        }
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(java.util.Locale.ROOT, format, values)).append('\n');
    }

    /** An object with one entry per plan; all sizes in bytes. */
    public static String json(ProgramTrace trace, List<Plan> plans, List<Plan> others, Optional<Growth> growth) {
        JsonObject all = new JsonObject();
        all.addProperty("script", trace.script());
        all.addProperty("complete", trace.isComplete());
        JsonArray list = new JsonArray();
        plans.forEach(plan -> list.add(object(plan)));
        all.add("plans", list);
        JsonArray devices = new JsonArray();
        others.forEach(plan -> devices.add(object(plan)));
        all.add("devices", devices);
        JsonArray shares = new JsonArray();
        for (Share share : plans.getFirst().holders()) {
            JsonObject o = new JsonObject();
            o.addProperty("holder", share.holder());
            o.addProperty("bytes", share.bytes());
            o.addProperty("count", share.count());
            shares.add(o);
        }
        all.add("holders", shares);
        all.add("without_an_entry", counts(plans.getFirst().withoutAnEntry()));
        all.add("estimated", counts(plans.getFirst().estimated()));
        JsonArray notes = new JsonArray();
        trace.notes().forEach(notes::add);
        all.add("notes", notes);
        growth.ifPresent(found -> {
            JsonObject o = new JsonObject();
            o.addProperty("size", found.largest());
            o.addProperty("replayed", found.replayed());
            o.addProperty("bytes_for_one_more", Math.round(found.perOne()));
            all.add("largest", o);
        });
        return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(all);
    }

    private static JsonObject object(Plan plan) {
        JsonObject o = new JsonObject();
        o.addProperty("device", plan.device().name());
        o.addProperty("memory", plan.device().totalBytes());
        o.addProperty("settings", plan.settings());
        o.addProperty("fits", plan.fits());
        o.addProperty("allocated", plan.allocated());
        o.addProperty("allocated_without_optimizer_state", plan.allocatedWithoutState());
        o.addProperty("requested", plan.requested());
        o.addProperty("reserved", plan.reserved());
        o.addProperty("highest_allocated", plan.highestAllocated());
        o.addProperty("highest_reserved", plan.highestReserved());
        o.addProperty("reserved_on_device", plan.reservedOnDevice());
        o.addProperty("verdict", plan.verdict().name());
        o.addProperty("least_allocated", plan.leastAllocated());
        o.addProperty("most_allocated", plan.mostAllocated());
        o.addProperty("least_reserved", plan.leastReserved());
        o.addProperty("most_reserved", plan.mostReserved());
        o.addProperty("allocations", plan.allocations());
        o.addProperty("peak_at", plan.peakAt());
        o.addProperty("failed_at", plan.failedAt());
        return o;
    }

    private static JsonObject counts(Map<String, Integer> operations) {
        JsonObject o = new JsonObject();
        operations.forEach(o::addProperty);
        return o;
    }
}
