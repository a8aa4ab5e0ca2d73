package io.vramlab.distributions;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * A value in a formula, held as Python holds it: what an operation has made and no variable names goes as soon as the next operation
 * has used it; what a variable names goes when that is closed; what others hold stays.
 */
final class Term implements AutoCloseable {

    private enum Held {
        BY_OTHERS, BY_NOBODY, BY_A_VARIABLE
    }

    private final Tensor tensor;
    private Held held;

    private Term(Tensor tensor, Held held) {
        this.tensor = tensor;
        this.held = held;
    }

    /** What others hold. */
    static Term of(Tensor tensor) {
        return new Term(tensor, Held.BY_OTHERS);
    }

    /** What an operation has just made. */
    static Term made(Tensor tensor) {
        return new Term(tensor, Held.BY_NOBODY);
    }

    /** A variable's from now on: stays until that is closed. */
    Term named() {
        if (held == Held.BY_NOBODY) {
            held = Held.BY_A_VARIABLE;
        }
        return this;
    }

    /** Not a variable's any more: goes with its next use. */
    Term last() {
        if (held == Held.BY_A_VARIABLE) {
            held = Held.BY_NOBODY;
        }
        return this;
    }

    Tensor tensor() {
        return tensor;
    }

    /** The tensor for a caller to hold, if an operation made it; of what others hold another look at the same memory. */
    Tensor give() {
        if (held == Held.BY_OTHERS) {
            return Tensor.wrap(tensor.impl().retain());
        }
        held = Held.BY_OTHERS;
        return tensor;
    }

    private void used() {
        if (held == Held.BY_NOBODY) {
            tensor.close();
        }
    }

    @Override
    public void close() {
        if (held != Held.BY_OTHERS) {
            tensor.close();
        }
    }

    Term map(UnaryOperator<Tensor> operation) {
        Tensor made = operation.apply(tensor);
        if (made == tensor) {
            return this;
        }
        used();
        return made(made);
    }

    Term with(Term other, BinaryOperator<Tensor> operation) {
        Tensor made = operation.apply(tensor, other.tensor);
        used();
        other.used();
        return made(made);
    }

    Term add(Term other) {
        return with(other, Tensor::add);
    }

    Term add(double value) {
        return map(t -> t.add(value));
    }

    Term sub(Term other) {
        return with(other, Tensor::sub);
    }

    Term sub(double value) {
        return map(t -> t.sub(value));
    }

    /** That number less this. */
    Term from(double value) {
        return map(t -> t.rsub(value));
    }

    Term mul(Term other) {
        return with(other, Tensor::mul);
    }

    Term mul(double value) {
        return map(t -> t.mul(value));
    }

    Term div(Term other) {
        return with(other, Tensor::div);
    }

    Term div(double value) {
        return map(t -> t.div(value));
    }

    Term pow(double exponent) {
        return map(t -> t.pow(exponent));
    }

    Term xlogy(Term other) {
        return with(other, Tensor::xlogy);
    }

    Term neg() {
        return map(Tensor::neg);
    }

    Term log() {
        return map(Tensor::log);
    }

    Term log1p() {
        return map(Tensor::log1p);
    }

    Term exp() {
        return map(Tensor::exp);
    }

    Term abs() {
        return map(Tensor::abs);
    }

    Term sign() {
        return map(Tensor::sign);
    }

    Term reciprocal() {
        return map(Tensor::reciprocal);
    }

    Term lgamma() {
        return map(Tensor::lgamma);
    }

    Term digamma() {
        return map(Tensor::digamma);
    }

    Term softplus() {
        return map(Functional::softplus);
    }

    /** The sum over the last dimension. */
    Term sum() {
        return map(t -> t.sum(-1));
    }

    Term sumKept() {
        return map(t -> t.sum(-1, true));
    }

    Term and(Term other) {
        return with(other, Tensor::bitwiseAnd);
    }
}
