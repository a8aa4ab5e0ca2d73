package io.vramlab.plan;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.Operand;
import io.vramlab.footprint.CublasVariables;
import io.vramlab.footprint.CublasWorkspace;
import io.vramlab.footprint.Footprint;
import io.vramlab.footprint.ReductionScratch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One operation's part of the script, as its rule writes it. */
final class RuleSteps {

    private static final long SO_MANY_TIMES = 8;
    private static final long SOLVERS = 2 << 20;

    private final DeviceProperties device;
    private final Choice choice;
    private final Map<String, Long> workspaces = new HashMap<>();
    private final ConvolutionSizes convolutions;
    private final TriedPlans tried;
    private ScriptWriter script;
    private Operation operation;
    private final BitSet done = new BitSet();
    private int count;
    private String caller;
    private boolean lastBackward;
    private int lastStream;

    RuleSteps(DeviceProperties device, Choice choice, ConvolutionSizes convolutions) {
        this.device = device;
        this.choice = choice;
        this.convolutions = convolutions;
        tried = new TriedPlans(convolutions);
    }

    void begin(Operation operation, ScriptWriter script) {
        this.operation = operation;
        this.script = script;
        if (count > 0) {
            done.clear();
            count = 0;
        }
    }

    DeviceProperties device() {
        return device;
    }

    /** Takes the results that were not taken yet. */
    void results() {
        while (count < operation.made().size()) {
            result();
        }
    }

    /** Takes the next result. */
    void result() {
        int next = done.nextClearBit(0);
        if (next < operation.made().size()) {
            result(next, operation.made().get(next).bytes());
        }
    }

    /** Takes the next result, whose storage is larger than what the recording could know. */
    void result(long bytes) {
        result(done.nextClearBit(0), bytes);
    }

    /** Takes a result out of turn. */
    void resultAt(int which) {
        if (which < operation.made().size()) {
            result(which, operation.made().get(which).bytes());
        }
    }

    /** The same, whose storage is of another size than the recording could know. */
    void resultAt(int which, long bytes) {
        result(which, bytes);
    }

    /** Takes the result with that storage, which is larger than what the recording could know. */
    void resultOf(long storage, long bytes) {
        for (int i = 0; i < operation.made().size(); i++) {
            if (operation.made().get(i).storage() == storage) {
                result(i, bytes);
            }
        }
    }

    private void result(int which, long bytes) {
        if (which < operation.made().size() && !done.get(which)) {
            done.set(which);
            count++;
            script.make(operation.made().get(which).storage(), bytes);
        }
    }

    /** Says that PyTorch does not take this result. */
    void without(int which) {
        result(which, 0);
    }

    /** How many storages the operation made. */
    int made() {
        return operation.made().size();
    }

    /** Takes something; {@link #give} gives it back. A size of 0 takes nothing. */
    long take(long bytes) {
        return script.take(bytes);
    }

    /** Gives back what {@link #take} took; 0 stands for nothing. */
    void give(long block) {
        if (block != 0) {
            script.give(block);
        }
    }

    void passing(Long... bytes) {
        script.passing(List.of(bytes));
    }

    void passing(List<Long> bytes) {
        script.passing(bytes);
    }

    /** The scratch of a reduction; see docs/footprint.md, "Reductions". */
    void reduction(TensorForm in, boolean[] reduced, int accumulator) {
        ReductionScratch scratch = ReductionScratch.of(new Operand(0, DType.FLOAT32, in.shape(), in.strides()), reduced,
                accumulator, device);
        if (scratch.staging() > 0) {
            passing(scratch.staging(), scratch.semaphores());
        }
    }

    /** Does all that a footprint says; what it leaves goes at its end. */
    void passing(Footprint footprint) {
        give(hold(footprint));
    }

    /** Does all that a footprint says; what it leaves, in the order in which it was taken. */
    List<Long> hold(Footprint footprint) {
        List<Long> taken = new ArrayList<>();
        for (Footprint.Step step : footprint.steps()) {
            switch (step) {
                case Footprint.Taken(long bytes) -> taken.add(take(bytes));
                case Footprint.GivenBack(int taking) -> give(taken.set(taking, null));
            }
        }
        taken.removeIf(Objects::isNull);
        return taken;
    }

    /** Gives these back, the last first. */
    void give(List<Long> blocks) {
        blocks.reversed().forEach(this::give);
    }

    /** A workspace that a library chooses: what the rules expect, or one of the bounds. */
    void chosen(long least, long likely, long most) {
        script.passing(Script.TAKE, least, likely, most);
    }

    /** The same of one plan of several: where it has no room, PyTorch goes on with another. */
    void proposed(long least, long likely, long most) {
        script.passing(Script.SPARED, least, likely, most);
    }

    /** Takes such a workspace, be it nothing; {@link #give} gives it back. */
    long take(long least, long likely, long most) {
        return script.take(least, likely, most);
    }

    /** The recording's layers. */
    ConvolutionSizes convolutions() {
        return convolutions;
    }

    /** What cuDNN's plans were tried for. */
    TriedPlans tried() {
        return tried;
    }

    /** Takes the largest of these that has room, gives it back, and empties the cache. */
    void trial(long[] sizes) {
        script.trial(sizes);
    }

    /** Whether this script counts what a library may take besides: 1 stands for yes, 0 for no. */
    boolean counts(long least, long likely, long most) {
        return choice.of(least, likely, most) != 0;
    }

    /** No rule says what these arguments take: the results alone are counted, and at most that much more. */
    void unknown() {
        script.unknown(operation.base());
        chosen(0, 0, most(operation));
    }

    /**
     * More than any of the operations without a rule took besides its results when it was recorded (docs/plan-judged.md, "Single
     * operations"): eight times what it reads and makes, and the 2 MiB of a solver's workspace.
     */
    static long most(Operation operation) {
        long bytes = operation.made().stream().mapToLong(Operation.Made::bytes).sum();
        for (TensorForm form : Operation.forms(operation.arguments())) {
            bytes += form.bytes();
        }
        return SO_MANY_TIMES * bytes + SOLVERS;
    }

    /** A library decides how much; what is counted is an estimate. */
    void estimated() {
        script.estimated(operation.base());
    }

    /** cuBLAS's workspace of this thread and stream; see docs/footprint.md, "cuBLAS workspaces". */
    void cublas() {
        script.multiply(operation.phase() == Phase.BACKWARD);
        workspaces.computeIfAbsent("cublas " + caller(),
                w -> script.keep(CublasWorkspace.bytes(device, CublasVariables.UNSET), "cuBLAS workspace"));
    }

    /** And cublasLt's. */
    void cublasLt() {
        workspaces.computeIfAbsent("cublasLt " + caller(),
                w -> script.keep(CublasWorkspace.ltBytes(CublasVariables.UNSET), "cublasLt workspace"));
    }

    /** Gives back the workspaces of all threads and streams; the next product of each takes its own anew. */
    void clearWorkspaces(ScriptWriter of) {
        workspaces.values().forEach(of::give);
        workspaces.clear();
    }

    /** The thread and stream that run the operation. */
    String caller() {
        boolean backward = operation.phase() == Phase.BACKWARD;
        int stream = script.workingStream();
        if (caller == null || backward != lastBackward || stream != lastStream) {
            caller = (backward ? "backward" : "main") + " on " + stream;
            lastBackward = backward;
            lastStream = stream;
        }
        return caller;
    }
}
