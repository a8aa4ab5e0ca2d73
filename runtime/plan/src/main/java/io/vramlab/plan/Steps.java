package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import io.vramlab.tensor.Scratch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One operation's part of the script, as its rule writes it. */
final class Steps {

    private static final long HOPPER_WORKSPACE = 32L << 20;
    private static final long WORKSPACE = 8_519_680;
    private static final long LT_WORKSPACE = 1L << 20;

    private final DeviceProperties device;
    private final Set<String> held = new HashSet<>();
    private Script script;
    private Operation operation;
    private int done;

    Steps(DeviceProperties device) {
        this.device = device;
    }

    void begin(Operation operation, Script script) {
        this.operation = operation;
        this.script = script;
        done = 0;
    }

    DeviceProperties device() {
        return device;
    }

    /** Takes the results that were not taken yet. */
    void results() {
        while (done < operation.made().size()) {
            result();
        }
    }

    /** Takes the next result. */
    void result() {
        if (done < operation.made().size()) {
            result(operation.made().get(done).bytes());
        }
    }

    /** Takes the next result, whose storage is larger than what the recording could know. */
    void result(long bytes) {
        if (done < operation.made().size()) {
            script.make(operation.made().get(done++).storage(), bytes);
        }
    }

    /** Takes something; {@link #give} gives it back. A size of 0 takes nothing. */
    long take(long bytes) {
        return script.take(bytes);
    }

    void give(long block) {
        script.give(block);
    }

    void passing(Long... bytes) {
        script.passing(List.of(bytes));
    }

    void passing(List<Long> bytes) {
        script.passing(bytes);
    }

    /** The scratch of a reduction; see docs/footprint.md, "Reductions". */
    void reduction(Form in, boolean[] reduced, int accumulator) {
        passing(Scratch.reduction(in.shape(), in.strides(), reduced, accumulator, device));
    }

    /** A library decides how much; what is counted is an estimate. */
    void estimated() {
        script.estimated(operation.base());
    }

    /** cuBLAS's workspace of this thread; see docs/footprint.md, "cuBLAS workspaces". */
    void cublas() {
        String thread = operation.phase() == Phase.BACKWARD ? "backward" : "main";
        if (held.add("cublas " + thread)) {
            script.keep(device.major() == 9 ? HOPPER_WORKSPACE : WORKSPACE, "cuBLAS workspace");
        }
    }

    /** And cublasLt's. */
    void cublasLt() {
        String thread = operation.phase() == Phase.BACKWARD ? "backward" : "main";
        if (held.add("cublasLt " + thread)) {
            script.keep(LT_WORKSPACE, "cublasLt workspace");
        }
    }
}
