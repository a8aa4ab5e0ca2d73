package io.vramlab.conformance;

import com.google.gson.JsonObject;
import io.vramlab.tensor.Tensor;

/** The recorded statements that change a tensor in place: those whose names end in "_", as PyTorch's. */
final class InPlaceStatements {

    private InPlaceStatements() {
    }

    /**
     * Runs one.
     *
     * @param other
     *            the second argument, or null
     */
    static void run(String op, Tensor t, Tensor other, JsonObject s) {
        switch (op) {
            case "add_" -> t.add_(need(op, other));
            case "sub_" -> t.sub_(need(op, other));
            case "mul_" -> t.mul_(need(op, other));
            case "div_abs1_" -> divide(t, need(op, other));
            case "copy_" -> t.copy_(need(op, other));
            case "relu_" -> t.relu_();
            case "sigmoid_" -> t.sigmoid_();
            case "tanh_" -> t.tanh_();
            case "exp_" -> t.exp_();
            case "zero_" -> t.zero_();
            case "mul_scalar_" -> t.mul_(scalar(s));
            case "add_scalar_" -> t.add_(scalar(s));
            case "div_scalar_" -> t.div_(scalar(s));
            case "fill_" -> t.fill_(scalar(s));
            case "clamp_" -> t.clamp_(-0.25, 0.25);
            case "masked_fill_gt0_" -> fill(t);
            default -> throw new MalformedRecordingException("the statement " + op + " is unknown");
        }
    }

    private static Tensor need(String op, Tensor other) {
        if (other == null) {
            throw new MalformedRecordingException(op + " needs two arguments");
        }
        return other;
    }

    private static double scalar(JsonObject s) {
        return Recordings.need(s, "scalar").getAsDouble();
    }

    private static void divide(Tensor t, Tensor other) {
        try (Tensor divisor = OperationTable.then(other.abs(), x -> x.add(1))) {
            t.div_(divisor);
        }
    }

    private static void fill(Tensor t) {
        try (Tensor mask = t.gt(0)) {
            t.maskedFill_(mask, 0.5);
        }
    }
}
