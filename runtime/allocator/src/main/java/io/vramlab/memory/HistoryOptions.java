package io.vramlab.memory;

import java.util.EnumSet;
import java.util.Set;

/**
 * What the history keeps: the options of {@code torch.cuda.memory._record_memory_history}.
 *
 * @param enabled
 *            "all" for blocks and events, "state" for the call sites of live blocks only, null for off
 * @param context
 *            whose call sites are kept: "all" (also those of frees), "alloc", "state" (live blocks only), or null
 * @param stacks
 *            "python" or "all"; both mean the user's frames here
 * @param maxEntries
 *            size of the ring
 * @param clearHistory
 *            whether what was recorded before is dropped
 * @param skipActions
 *            actions that are not recorded
 */
public record HistoryOptions(String enabled, String context, String stacks, int maxEntries, boolean clearHistory,
        Set<TraceAction> skipActions) {

    /** Nothing is recorded. */
    public static final HistoryOptions OFF = new HistoryOptions(null, null, "all", 1, false, Set.of());

    /**
     * Checks the options as PyTorch does, with its messages.
     *
     * @throws IllegalArgumentException
     *             if a word is not one of those allowed
     */
    public HistoryOptions {
        check(enabled == null || enabled.equals("state") || enabled.equals("all"),
                "expected state to be 'state', 'all', or None");
        check(context == null || Set.of("state", "alloc", "all").contains(context),
                "expected context to be 'state', 'alloc', 'all', or None");
        check("python".equals(stacks) || "all".equals(stacks), "expected stacks to be 'python', or 'all'");
        maxEntries = "all".equals(enabled) ? Math.max(1, maxEntries) : 1;
        skipActions = skipActions.isEmpty() ? Set.of() : EnumSet.copyOf(skipActions);
    }

    /** {@return options that keep everything, with call sites, without bound: PyTorch's default} */
    public static HistoryOptions all() {
        return new HistoryOptions("all", "all", "all", Integer.MAX_VALUE, false, Set.of());
    }

    /** {@return options that keep events without call sites: the cheapest full history} */
    public static HistoryOptions withoutStacks() {
        return new HistoryOptions("all", null, "all", Integer.MAX_VALUE, false, Set.of());
    }

    boolean keepsSitesOfLiveBlocks() {
        return enabled != null && context != null;
    }

    boolean keepsSitesOfAllocations() {
        return enabled != null && ("alloc".equals(context) || "all".equals(context));
    }

    boolean keepsSitesOfFrees() {
        return enabled != null && "all".equals(context);
    }

    private static void check(final boolean valid, final String message) {
        if (!valid) {
            throw new IllegalArgumentException(message);
        }
    }
}
