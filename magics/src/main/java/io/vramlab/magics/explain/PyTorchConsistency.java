package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import java.util.List;
import java.util.Optional;

/** Whether the figures of one of PyTorch's messages can be true together, and who holds what. */
final class PyTorchConsistency {

    private static final Amount NOTHING = Amount.exactly(0);
    /** A context, libraries and their workspaces rarely take more beside the allocator. */
    private static final Amount MOST_OF_CONTEXT = Amount.exactly(2L << 30);

    private final Message message;
    private final Optional<Amount> reserved;
    private final Amount capacity;
    private final Amount free;
    private final List<Conclusion> findings;

    PyTorchConsistency(Message message, Optional<Amount> reserved, List<Conclusion> findings) {
        this.message = message;
        this.reserved = reserved;
        this.capacity = message.amount(Role.CAPACITY).orElseThrow();
        this.free = message.amount(Role.FREE).orElseThrow();
        this.findings = findings;
    }

    void check() {
        if (capacity.surelyBelow(free)) {
            findings.add(
                    Conclusion.inconsistent("More is free, " + both(free) + ", than the device has, " + both(capacity)
                            + ": the driver counts two kinds of memory, as for GPUs that share the computer's."));
            return;
        }
        reserved.ifPresent(this::reserved);
        reserved.ifPresent(this::processes);
    }

    private void reserved(Amount held) {
        Optional<Amount> allocated = message.amount(Role.ALLOCATED);
        if (allocated.isPresent() && held.surelyBelow(allocated.get())) {
            findings.add(Conclusion.inconsistent("More is allocated, " + both(allocated.get()) + ", than reserved, "
                    + both(held) + ": the figures are of different moments."));
        }
        Amount rest = capacity.minus(free).minus(held);
        String sum = both(held) + " reserved + " + both(free) + " free";
        if (rest.bytes() + rest.slack() < 0) {
            findings.add(Conclusion.inconsistent(sum + " exceed the device's " + both(capacity)
                    + ": its memory is lent out twice. Windows moves a program's memory to the computer's when a GPU is full, "
                    + "and so do GPUs that share it; what \"free\" means there is not what it means on Linux."));
        } else if (NOTHING.surelyBelow(rest)) {
            findings.add(Conclusion.consistent(sum + " + " + both(rest) + " of others = " + both(capacity)
                    + ". Others are the CUDA context and libraries of this process, and other processes."));
        } else {
            findings.add(Conclusion.consistent(sum + " = " + both(capacity) + ", the whole device."));
        }
    }

    private void processes(Amount held) {
        Optional<Amount> own = message.amount(Role.THIS_PROCESS);
        if (own.isPresent() && own.get().bytes() >= Amount.MOST) {
            findings.add(Conclusion
                    .inconsistent("\"this process has " + own.get().text() + "\" is 2^64 bytes: the driver did not "
                            + "know, as under WSL, and the answer was taken for a number."));
            return;
        }
        own.ifPresent(mine -> own(mine, held));
        List<Amount> others = message.amounts(Role.OTHER_PROCESS);
        if (own.isEmpty() && others.size() == 1 && held.bytes() > 0 && !others.get(0).surelyBelow(held)
                && others.get(0).minus(held).surelyBelow(MOST_OF_CONTEXT)) {
            findings.add(Conclusion.possible("The process that is named is this one: " + both(others.get(0)) + " is "
                    + both(others.get(0).minus(held))
                    + " more than PyTorch reserved. A container has its own process numbers."));
            return;
        }
        others.forEach(other -> findings.add(Conclusion.proven("Another process holds " + both(other) + " of the device"
                + (message.amount(Role.TRIED).filter(t -> t.surelyAtMost(other.plus(free))).isPresent()
                        ? ": without it the request would have fitted."
                        : "."))));
    }

    private void own(Amount mine, Amount held) {
        if (mine.surelyBelow(held)) {
            findings.add(
                    Conclusion.inconsistent("This process holds " + both(mine) + ", less than PyTorch reserved in it, "
                            + both(held) + ": the driver's count came later, or does not see all."));
            return;
        }
        Amount beside = mine.minus(held);
        if (MOST_OF_CONTEXT.surelyBelow(beside)) {
            findings.add(
                    Conclusion.proven(
                            both(beside) + " of this process are not PyTorch's allocator's, more than a context "
                                    + "and libraries take: another library of the program allocates for itself."));
        } else {
            findings.add(Conclusion.consistent("Of this process, " + both(mine) + ", PyTorch reserved " + both(held)
                    + "; the rest is the CUDA context, libraries and NCCL."));
        }
        Amount others = capacity.minus(free).minus(mine);
        if (message.amounts(Role.OTHER_PROCESS).isEmpty() && Amount.exactly(1L << 30).surelyBelow(others)) {
            findings.add(
                    Conclusion.proven(
                            both(others) + " of the device are neither free nor this process's: other processes "
                                    + "that the driver does not name, or the system's own."));
        }
    }
}
