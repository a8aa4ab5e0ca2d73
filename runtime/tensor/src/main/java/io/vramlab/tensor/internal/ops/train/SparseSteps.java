package io.vramlab.tensor.internal.ops.train;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.SparseSums;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.List;

/** What a list of tensors, some of them sparse, goes through one by one: the slow way of PyTorch's {@code torch._foreach_*}. */
final class SparseSteps {

    private SparseSteps() {
    }

    static boolean anySparse(List<List<TensorImpl>> inputs) {
        return inputs.stream().anyMatch(list -> list.stream().anyMatch(TensorImpl::isSparse));
    }

    static List<TensorImpl> fresh(ElementOp op, double[][] scalars, int many, List<List<TensorImpl>> inputs) {
        List<TensorImpl> results = new ArrayList<>(many);
        try {
            for (int i = 0; i < many; i++) {
                TensorImpl a = inputs.getFirst().get(i);
                double[] by = scalars.length == 1 ? scalars[0] : scalars[i];
                results.add(switch (op) {
                    case ADD -> Elementwise.add(a, inputs.get(1).get(i), by[0]);
                    case NEG -> Pointwise.neg(a);
                    case COPY -> Copies.clone(a);
                    case MUL_SCALAR -> Elementwise.mul(a, by[0], false);
                    default -> throw refuse(op, a);
                });
            }
            return results;
        } catch (RuntimeException e) {
            Foreach.release(results);
            throw e;
        }
    }

    static void into(ElementOp op, double[][] scalars, List<TensorImpl> outs, List<List<TensorImpl>> inputs) {
        for (int i = 0; i < outs.size(); i++) {
            TensorImpl a = outs.get(i);
            double[] by = scalars.length == 1 ? scalars[0] : scalars[i];
            if (op == ElementOp.ADD) {
                add(a, inputs.get(1).get(i), by[0]);
            } else if (!a.isSparse()) {
                Launch.into(op, by, a, inputs.isEmpty() ? new TensorImpl[0] : new TensorImpl[]{a});
                a.bumpVersion();
            } else if (op == ElementOp.MUL_SCALAR) {
                SparseSums.scale(a, by[0]);
            } else if (op == ElementOp.FILL && by[0] == 0) {
                SparseSums.clear(a);
            } else {
                throw refuse(op, a);
            }
        }
    }

    private static void add(TensorImpl a, TensorImpl b, double alpha) {
        if (a.isSparse() || b.isSparse()) {
            SparseSums.addInto(a, b, alpha);
        } else {
            Launch.accumulate(a, b, alpha);
        }
    }

    private static TensorException refuse(ElementOp op, TensorImpl a) {
        return new TensorException(op.name().toLowerCase() + " was asked of " + a.describe()
                + ", of which PyTorch knows none either: use toDense(), or an optimizer that takes sparse gradients "
                + "(SparseAdam, SGD, Adagrad).");
    }
}
