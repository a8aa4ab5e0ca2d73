package io.vramlab.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lengths that hang on how a router shares tokens out among experts, followed through a recording: where a recorded length is 1,025 and
 * the expert is taken to be given half as much, what is made of it has 512 or 513 rows. Recorders take odd numbers for such lengths, so
 * that a size of an operation's result is one of them where an operand has it, too, and it is the same or a multiple.
 */
final class SharedLengths {

    /** Shorter ones are not told from other sizes. */
    private static final long LEAST = 17;

    private final Shares shares;
    private final ProgramTrace trace;
    /** Of a storage, which recorded lengths stand for which. */
    private final Map<Long, Map<Long, Long>> lengths = new HashMap<>();
    private final Map<Long, Long> scaled = new HashMap<>();
    private PlanEvent.SharedOut next;
    private int steps;

    SharedLengths(Shares shares, ProgramTrace trace) {
        this.shares = shares;
        this.trace = trace;
    }

    /** The length of the next operation's result was shared out. */
    void told(PlanEvent.SharedOut told) {
        next = shares == Shares.EVEN ? null : told;
    }

    void stepped() {
        steps++;
    }

    /** Sees what an operation makes, and of what. */
    void follow(Operation o) {
        if (next == null && lengths.isEmpty()) {
            return;
        }
        Map<Long, Long> stand = new HashMap<>();
        if (next != null) {
            long length = results(o.result()).getFirst().form().shape()[0];
            double share = shares.of(next, trace.module(o.module()) + " " + steps);
            stand.put(length, Math.round(length * share));
            next = null;
        }
        results(o.arguments()).forEach(operand -> stand.putAll(lengths.getOrDefault(operand.storage(), Map.of())));
        if (stand.isEmpty()) {
            return;
        }
        for (Operation.Made made : o.made()) {
            results(o.result()).stream().filter(result -> result.storage() == made.storage()).findFirst()
                    .ifPresent(result -> make(made, result.form(), stand));
        }
    }

    private void make(Operation.Made made, TensorForm form, Map<Long, Long> stand) {
        double times = 1;
        Map<Long, Long> its = new HashMap<>();
        for (long size : form.shape()) {
            for (Map.Entry<Long, Long> each : stand.entrySet()) {
                if (each.getKey() >= LEAST && size > 0 && size % each.getKey() == 0) {
                    times *= (double) each.getValue() / each.getKey();
                    its.put(each.getKey(), each.getValue());
                    break;
                }
            }
        }
        if (!its.isEmpty()) {
            lengths.put(made.storage(), its);
            scaled.put(made.storage(), Math.round(made.bytes() * times));
        }
    }

    /** What such a storage takes, where it is recorded to take so many bytes. */
    long bytes(long storage, long recorded) {
        return scaled.isEmpty() ? recorded : scaled.getOrDefault(storage, recorded);
    }

    private static List<TensorRef> results(Object value) {
        return switch (value) {
            case TensorRef t -> List.of(t);
            case List<?> list -> list.stream().flatMap(each -> results(each).stream()).toList();
            case null, default -> List.of();
        };
    }
}
