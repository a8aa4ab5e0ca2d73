package io.vramlab.plan;

import io.vramlab.footprint.CublasWorkspace;
import java.util.List;
import java.util.Map;

/** Matrix products: the result, copies of matrices that cuBLAS cannot read as they lie, then the workspaces. */
final class MatrixRules {

    private static final long GROUP = 60;
    private static final long GROUPED_BUFFER = 512;

    private MatrixRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten.mm", (o, s) -> product(o, s, 0, 1, false));
        rules.put("aten.bmm", (o, s) -> product(o, s, 0, 1, false));
        rules.put("aten.addmm", (o, s) -> product(o, s, 1, 2, biasThroughLt(o)));
        rules.put("aten.baddbmm", (o, s) -> product(o, s, 1, 2, false));
        rules.put("aten._addmm_activation", (o, s) -> product(o, s, 1, 2, biasThroughLt(o)));
        rules.put("aten.addbmm", (o, s) -> product(o, s, 1, 2, false));
        rules.put("aten.mv", (o, s) -> {
            s.results();
            long matrix = isReadable(o.form(0)) ? 0 : s.take(o.form(0).bytes());
            long numbers = o.form(1).isRepeated() ? s.take(o.form(1).bytes()) : 0;
            s.cublas();
            s.give(numbers);
            s.give(matrix);
        });
        rules.put("aten.addmv", (o, s) -> vector(s));
        rules.put("aten._int_mm", (o, s) -> product(o, s, 0, 1, false)); // cublasLt without a workspace of its own (int8_gemm)
        rules.put("aten._scaled_mm", (o, s) -> product(o, s, 0, 1, true)); // of 8 bits, always through cublasLt (scaled_gemm)
        rules.put("aten._grouped_mm", MatrixRules::grouped);
        rules.put("aten.dot", (o, s) -> vector(s));
        rules.put("aten.vdot", (o, s) -> vector(s));
    }

    /** CUTLASS: three sizes, three addresses and three steps for each group, and a buffer for each multiprocessor (GroupMM.cu). */
    private static void grouped(Operation o, RuleSteps s) {
        s.results();
        if (!o.form(0).dtype().equals("bfloat16")) {
            s.cublas(); // product by product
            return;
        }
        if (o.argument(2, "offs") instanceof TensorRef ends) {
            s.passing(GROUP * ends.form().count(), GROUPED_BUFFER * s.device().multiProcessorCount());
        }
    }

    private static void vector(RuleSteps s) {
        s.results();
        s.cublas();
    }

    private static void product(Operation o, RuleSteps s, int left, int right, boolean lt) {
        s.results();
        if (o.form(left).count() == 0 || o.form(right).count() == 0) {
            return;
        }
        boolean turned = o.form(right).shape()[o.form(right).rank() - 1] > 1; // cuBLAS writes columns: it is given the product turned, the right one first
        long first = copy(o.form(turned ? right : left), s);
        long second = copy(o.form(turned ? left : right), s);
        s.cublas();
        if (lt) {
            s.cublasLt();
        }
        for (long copied : List.of(second, first)) {
            if (copied != 0) {
                s.give(copied);
            }
        }
    }

    private static long copy(TensorForm m, RuleSteps s) {
        return isReadable(m) ? 0 : s.take(m.bytes());
    }

    /** Row- or column-major, with rows or columns apart from each other. */
    private static boolean isReadable(TensorForm m) {
        int r = m.rank();
        long rows = m.shape()[r - 2];
        long columns = m.shape()[r - 1];
        long down = m.strides()[r - 2];
        long across = m.strides()[r - 1];
        return across == 1 && down >= Math.max(1, columns) || down == 1 && across >= Math.max(1, rows)
                || rows == 1 && across == 1 || columns == 1 && down == 1;
    }

    private static boolean biasThroughLt(Operation o) {
        TensorForm bias = o.form(0);
        return bias != null
                && CublasWorkspace.isLt(bias.shape(), bias.isContiguous(), o.form(2).shape());
    }
}
