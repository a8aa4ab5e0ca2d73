package io.vramlab.magics.explain;

import io.vramlab.magics.text.ReadableSizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the figures of PyTorch's caching allocator prove. It throws when it has found no hole, the driver has refused a
 * segment or the limit forbids one, and the cache has been given back as far as its segments were wholly free
 * (docs/allocator.md, "Out of memory").
 */
final class PyTorchReasoning implements Reasoning {

    private static final Amount NOTHING = Amount.exactly(0);

    private final Message message;
    private final String text;
    private final List<Conclusion> findings = new ArrayList<>();
    private final Optional<Amount> tried;
    private final Optional<Amount> capacity;
    private final Optional<Amount> free;
    private final Optional<Amount> allocated;
    private final Optional<Amount> reserved;
    private final Optional<Amount> cached;
    private final Optional<Amount> allowed;

    PyTorchReasoning(Message message, String text) {
        this.message = message;
        this.text = text;
        tried = message.amount(Role.TRIED);
        capacity = message.amount(Role.CAPACITY);
        free = message.amount(Role.FREE);
        allocated = message.amount(Role.ALLOCATED);
        allowed = message.amount(Role.ALLOWED);
        Optional<Amount> held = message.amount(Role.RESERVED);
        cached = message.amount(Role.CACHED).or(() -> held.flatMap(r -> allocated.map(r::minus)));
        reserved = held.or(() -> cached.flatMap(c -> allocated.map(c::plus)));
    }

    @Override
    public Result result() {
        if (tried.isEmpty()) {
            findings.add(Conclusion
                    .proven("2^60 bytes or more were asked for, which PyTorch refuses without asking the driver: "
                            + "an extent that was multiplied wrongly, a negative number taken for a large one, or a broken length."));
            return new Result("The request cannot be meant: it is larger than an exbibyte.", findings,
                    PyTorchNext.SHAPES, PyTorchNext.SHAPES_WHY);
        }
        new RequestedSegment(tried.get(), message.form().equals("cached")).told().ifPresent(findings::add);
        if (capacity.isEmpty()) {
            findings.add(
                    Conclusion
                            .note("The message is cut off behind the request: whether the device was full, limited or "
                                    + "shared is not told."));
            return new Result("Only the request is known: " + both(tried.get()) + ".", findings,
                    PyTorchNext.history(message),
                    PyTorchNext.why(message));
        }
        hint();
        if (free.isEmpty() && !capacity.get().surelyBelow(tried.get())) {
            return withoutFree(tried.get(), capacity.get());
        }
        if (free.isPresent()) {
            new PyTorchConsistency(message, reserved, findings).check();
        }
        return conclude();
    }

    private Result conclude() {
        Amount asked = tried.get();
        Amount total = capacity.get();
        if (total.surelyBelow(asked)) {
            findings.add(Conclusion.proven("The request, " + both(asked) + ", is larger than the device, " + both(total)
                    + ": it fails on an empty one too. No setting and nothing that is let go of can help; look at the shapes "
                    + "that the line multiplies."));
            return new Result("The request alone is larger than the device.", findings, PyTorchNext.SHAPES,
                    PyTorchNext.SHAPES_WHY);
        }
        Amount left = free.get();
        if (allocated.isEmpty()) {
            findings.add(Conclusion.note("The message is cut off behind the capacity: what PyTorch held is not told."));
        }
        cache(asked, left);
        Conclusion.Kind limit = limit(asked);
        if (limit == Conclusion.Kind.PROVEN || limit == Conclusion.Kind.POSSIBLE && asked.surelyAtMost(left)) {
            return new Result(limit == Conclusion.Kind.PROVEN
                    ? "The process's own limit refused it, not the device."
                    : "The process's own limit refused it, as far as the figures' decimals can tell.", findings,
                    PyTorchNext.history(message), PyTorchNext.why(message));
        }
        if (asked.surelyAtMost(left)) {
            return refusedThoughFree(asked, left);
        }
        if (left.surelyBelow(asked)) {
            findings.add(Conclusion.consistent("The driver had " + both(left) + " left and was asked for " + both(asked)
                    + ": it had to refuse."));
        } else {
            findings.add(Conclusion.note("What was left, " + both(left) + ", and what was asked for, " + both(asked)
                    + ", are the same within their decimals: whether the driver had to refuse is not told."));
        }
        return full(asked, left);
    }

    /** XPU's wording: what the driver had left is not told, so others' share is not known. */
    private Result withoutFree(Amount asked, Amount total) {
        findings.add(Conclusion
                .note("What the driver had left is not told: whether others filled the device cannot be said."));
        if (cached.isPresent() && asked.surelyAtMost(cached.get())) {
            return new Result("Enough was cached, and none of it could be used.", findings, PyTorchNext.XPU,
                    PyTorchNext.XPU_WHY);
        }
        if (reserved.isPresent() && total.surelyBelow(reserved.get().plus(asked))) {
            findings.add(Conclusion.proven(both(reserved.get()) + " reserved + " + both(asked) + " asked for = "
                    + both(reserved.get().plus(asked)) + ", more than the device's " + both(total) + "."));
            return new Result("More is held than leaves room for the request.", findings, PyTorchNext.XPU,
                    PyTorchNext.XPU_WHY);
        }
        findings.add(Conclusion.possible(
                "A limit of the driver on one piece (4 GiB on some Intel GPUs), another process, or memory that "
                        + "is shared with the computer."));
        return new Result("It was refused though PyTorch held less than the device has.", findings, PyTorchNext.XPU,
                PyTorchNext.XPU_WHY);
    }

    private Result full(Amount asked, Amount left) {
        Optional<Amount> outside = outside();
        if (cached.isPresent() && asked.surelyAtMost(cached.get())) {
            return new Result(
                    "Enough was cached, and none of it could be used: fragmentation, another stream, or a private "
                            + "pool.",
                    findings, PyTorchNext.history(message), PyTorchNext.why(message));
        }
        if (outside.isPresent() && reserved.isPresent() && asked.surelyAtMost(outside.get())
                && reserved.get().surelyBelow(outside.get())) {
            findings.add(Conclusion.proven("Outside of PyTorch's allocator the device holds " + both(outside.get())
                    + ", more than PyTorch's " + both(reserved.get()) + ": without it the request would have fitted."));
            return new Result("The device is full of what is not this allocator's.", findings, PyTorchNext.PROCESSES,
                    PyTorchNext.PROCESSES_WHY);
        }
        if (cached.isPresent() && cached.get().plus(left).surelyBelow(lower(asked))) {
            return new Result("More is in use than the device has room for: at least "
                    + ReadableSizes.both(Math.max(1, lower(asked).least() - cached.get().plus(left).most()))
                    + " would have to be given up.", findings, PyTorchNext.history(message), PyTorchNext.why(message));
        }
        return new Result("The device is nearly full: whether by use or by a cache in pieces, the figures do not tell.",
                findings, PyTorchNext.history(message), PyTorchNext.why(message));
    }

    /** What the cache could have done. */
    private void cache(Amount asked, Amount left) {
        if (allocated.isEmpty() || cached.isEmpty()) {
            return;
        }
        Amount idle = cached.get();
        if (allocated.get().most() == 0 && idle.most() == 0) {
            findings.add(Conclusion.excluded("PyTorch held nothing when it failed: neither a leak nor fragmentation."));
            return;
        }
        if (asked.surelyAtMost(idle)) {
            findings.add(Conclusion.proven("The cache held " + both(idle)
                    + ", more than the request, and no piece of it served: "
                    + "the pieces are too small, or belong to another stream or pool. Freed memory was not missing."));
            findings.add(
                    Conclusion.possible("Fragmentation: expandable_segments:True or max_split_size_mb may cure it; the "
                            + "history tells, replayed under them by vramlab what-if."));
        } else if (idle.surelyBelow(lower(asked))) {
            findings.add(Conclusion.excluded("Fragmentation alone: all that was cached, " + both(idle)
                    + ", is less than the request even in one piece."));
            if (idle.plus(left).surelyBelow(lower(asked))) {
                findings.add(Conclusion.proven("Cached and free together, " + both(idle.plus(left))
                        + ", are less than the request: no setting of the allocator can make it fit. Less must be in use, by "
                        + "at least " + ReadableSizes.both(Math.max(1, lower(asked).least() - idle.plus(left).most()))
                        + "."));
            } else if (!asked.surelyAtMost(left)) {
                findings.add(Conclusion.possible("Cached and free together, " + both(idle.plus(left))
                        + ", might do, if the cache could be given back: what is alive in its segments decides. "
                        + "expandable_segments:True gives back pages, not only whole segments."));
            }
        }
        message.amount(Role.PRIVATE)
                .ifPresent(pools -> findings.add(Conclusion.note(both(pools) + " is set aside for CUDA "
                        + "graphs and other private pools: the message counts it as allocated, used or not.")));
    }

    /** How firmly the limit is the reason; a note where there is none. */
    private Conclusion.Kind limit(Amount asked) {
        if (allowed.isEmpty() || reserved.isEmpty()) {
            return Conclusion.Kind.NOTE;
        }
        Amount wanted = reserved.get().plus(asked);
        String sum = both(reserved.get()) + " reserved + " + both(asked) + " asked for = " + both(wanted) + "; "
                + both(allowed.get()) + " allowed";
        if (allowed.get().surelyBelow(wanted)) {
            findings.add(Conclusion.proven("The limit: " + sum + ". set_per_process_memory_fraction, or "
                    + "per_process_memory_fraction among the settings, was called with about "
                    + Percent.of(allowed.get(), capacity.get()) + "."));
            return Conclusion.Kind.PROVEN;
        }
        if (wanted.surelyAtMost(allowed.get())) {
            findings.add(Conclusion.excluded("The limit: " + sum + "."));
            return Conclusion.Kind.EXCLUDED;
        }
        findings.add(Conclusion.possible("The limit: " + sum + ", the same within their decimals."));
        return Conclusion.Kind.POSSIBLE;
    }

    private Result refusedThoughFree(Amount asked, Amount left) {
        findings.add(
                Conclusion.proven("The driver reported " + both(left) + " free, at least as much as was asked for, "
                        + both(asked) + ": what refused it is not the memory that was free at that moment."));
        Fractions.matching(reserved, asked, capacity.get()).ifPresent(fraction -> findings.add(Conclusion.possible(
                "A limit that the message does not tell: " + fraction
                        + " of the device lies between what was reserved and "
                        + "what it would have become.")));
        findings.add(
                Conclusion
                        .possible("Others freed memory between the refusal and the count; the driver could not lay out "
                                + "so much at once (Windows, integrated GPUs, virtual ones); or a quota outside of PyTorch, such as MIG's "
                                + "or a container's."));
        return new Result(
                "It was refused though the device had room: a limit or another process, not this program's use.",
                findings, PyTorchNext.PROCESSES, PyTorchNext.PROCESSES_WHY);
    }

    /** Bytes of the device that are neither free nor reserved here. */
    private Optional<Amount> outside() {
        return reserved.map(r -> capacity.get().minus(free.get()).minus(r)).filter(rest -> NOTHING.surelyBelow(rest));
    }

    private Amount lower(Amount asked) {
        return new RequestedSegment(asked, message.form().equals("cached")).least();
    }

    private void hint() {
        String from = text.substring(Math.min(text.length(), message.at() + message.text().length()));
        String near = from.substring(0, Math.min(300, from.length()));
        if (near.contains("try setting")) {
            findings.add(
                    Conclusion
                            .note("The hint at its end is printed with every such message, also when the setting is on "
                                    + "(pytorch issue 173049): it says nothing of this case."));
        }
        if (near.contains("PYTORCH_ALLOC_CONF=expandable")) {
            findings.add(Conclusion
                    .note("If this is PyTorch 2.9.1, it ignores PYTORCH_ALLOC_CONF (pytorch issue 183387): set "
                            + "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, which every version reads."));
        }
    }

    static String both(Amount amount) {
        return amount.slack() == 0 ? ReadableSizes.both(amount.bytes()) : ReadableSizes.text(amount.bytes());
    }
}
