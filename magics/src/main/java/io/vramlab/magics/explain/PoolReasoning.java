package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** XLA and TensorFlow: one pool taken from the device at the start, handed out by a best-fit allocator. */
final class PoolReasoning implements Reasoning {

    private final Message message;
    private final List<Conclusion> findings = new ArrayList<>();

    PoolReasoning(Message message) {
        this.message = message;
    }

    @Override
    public Result result() {
        parts();
        String verdict = pool();
        findings.add(Conclusion.note(message.source() == Message.Source.XLA
                ? "JAX takes 75 % of the device at its start (XLA_PYTHON_CLIENT_MEM_FRACTION; older ones 90 %): what "
                        + "nvidia-smi shows is the pool, not what is in use."
                : "TensorFlow takes nearly all of the device at its start unless memory growth is on: what nvidia-smi shows is "
                        + "the pool, not what is in use."));
        if (message.form().equals("failed to allocate from device")) {
            findings.add(
                    Conclusion
                            .note("The pool tries for as much as it may have and then for 10 % less, again and again: "
                                    + "several such lines are one attempt, and none of them need be an error."));
        }
        return message.source() == Message.Source.XLA
                ? new Result(verdict, findings, List.of(
                        "import os; os.environ[\"TF_CPP_MIN_LOG_LEVEL\"] = \"0\"  # before jax is imported: the pool's statistics are logged",
                        "jax.profiler.save_device_memory_profile(\"memory.prof\")  # before the line that fails"),
                        "The log then holds Limit, InUse and LargestFreeBlock; give it to vramlab explain. The profile names the "
                                + "lines that hold arrays (pprof memory.prof).")
                : new Result(verdict, findings, List.of(
                        "print(tf.config.experimental.get_memory_info(\"GPU:0\"))  # after each step",
                        "tf.config.experimental.set_memory_growth(tf.config.list_physical_devices(\"GPU\")[0], True)  # first"),
                        "The first tells what tensors use now and at most; with the second, nvidia-smi shows what is needed.");
    }

    private String pool() {
        Optional<Amount> tried = message.amount(Role.TRIED);
        Optional<Amount> limit = message.amount(Role.ALLOWED);
        Optional<Amount> used = message.amount(Role.ALLOCATED);
        if (tried.isEmpty()) {
            return "A tensor did not fit; its size cannot be told from the text.";
        }
        if (limit.isEmpty() || used.isEmpty()) {
            return "One buffer of " + both(tried.get()) + " did not fit; what else was in use the text does not tell.";
        }
        Amount rest = limit.get().minus(used.get());
        String sum = both(limit.get()) + " of pool - " + both(used.get()) + " in use = " + both(rest);
        if (limit.get().surelyBelow(tried.get())) {
            findings.add(Conclusion.proven("The request, " + both(tried.get()) + ", is larger than the whole pool, "
                    + both(limit.get()) + "."));
            return "The request alone is larger than the pool.";
        }
        if (rest.surelyBelow(tried.get())) {
            findings.add(
                    Conclusion.proven(sum + ", less than the " + both(tried.get()) + " asked for: even in one piece it "
                            + "would not have done."));
            return "More is in use than the pool has room for.";
        }
        if (tried.get().surelyAtMost(rest)) {
            findings.add(Conclusion.proven(sum + ", at least the " + both(tried.get())
                    + " asked for: no piece of it was large enough, or the pool could not grow to its limit."));
            message.named(BfcStatistics.LARGEST_FREE).ifPresent(hole -> findings.add(hole.surelyBelow(tried.get())
                    ? Conclusion.proven("The largest hole has " + both(hole) + ": fragmentation.")
                    : Conclusion
                            .inconsistent("The largest hole has " + both(hole) + ": the request would have fitted.")));
            return "Enough of the pool was free, not in one piece.";
        }
        return "The pool was as good as full.";
    }

    /** Which part of the compiled program it was. */
    private void parts() {
        List<Figure> parts = message.figures().stream().filter(f -> f.role() == Role.PART).toList();
        Optional<Amount> total = message.named("total");
        if (parts.isEmpty() || total.isEmpty()) {
            return;
        }
        Amount sum = parts.stream().map(Figure::amount).reduce(Amount.exactly(0), Amount::plus);
        findings.add(sum.canEqual(total.get())
                ? Conclusion
                        .consistent("The parts of the compiled program add up to its total, " + both(total.get()) + ".")
                : Conclusion.note("The parts add up to " + both(sum) + ", the total is " + both(total.get())
                        + ": parts that share memory count once in it."));
        Optional<Amount> tried = message.amount(Role.TRIED);
        List<String> same = parts.stream().filter(p -> tried.isPresent() && p.amount().bytes() > 0
                && p.amount().canEqual(tried.get())).map(Figure::name).toList();
        if (same.size() == 1) {
            findings.add(Conclusion.proven("What did not fit is the buffer for \"" + same.get(0) + "\": "
                    + (same.get(0).equals("preallocated temp")
                            ? "the activations and scratch of one compiled call. Rematerialisation (jax.checkpoint), a smaller "
                                    + "batch or a scan makes it smaller."
                            : same.get(0).equals("maybe_live_out")
                                    ? "the results. Donated arguments (donate_argnums) let them take the arguments' place."
                                    : "not its temporaries.")));
        } else if (same.size() > 1) {
            findings.add(Conclusion.possible("What did not fit is one of " + String.join(", ", same)
                    + ", which have that size."));
        }
    }
}
