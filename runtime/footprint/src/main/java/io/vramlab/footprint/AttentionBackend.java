package io.vramlab.footprint;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.Operand;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which of its four ways PyTorch computes scaled_dot_product_attention by (cuda/sdp_utils.cpp and sdp_utils_cpp.h of 2.11,
 * select_sdp_backend; docs/footprint.md, "Attention").
 */
public enum AttentionBackend {
    /** Formula by formula: every intermediate result exists. */
    MATH,
    /** FlashAttention 2. */
    FLASH,
    /** The memory-efficient kernels of xFormers, CUTLASS. */
    EFFICIENT,
    /** cuDNN's. */
    CUDNN;

    private static final Set<DType> HALVES = Set.of(DType.FLOAT16, DType.BFLOAT16);
    private static final long LARGEST_FLASH_HEAD = 256;
    private static final long CUDNN_HEAD_HOPPER = 256;
    private static final long CUDNN_HEAD = 128;
    private static final long CUDNN_STEP = 8;
    private static final int AMPERE = 80;
    private static final int NEWEST = 121;

    /**
     * What is asked.
     *
     * @param query
     *            [n, heads, l, d]
     * @param key
     *            [n, kv, s, d]
     * @param value
     *            [n, kv, s, e]
     * @param mask
     *            what is added to the scores, or bool; or null
     * @param maskWantsGradient
     *            whether the mask requires one
     * @param wantsGradient
     *            whether one of query, key and value requires one, and gradients are on
     * @param grouped
     *            enable_gqa
     */
    public record Question(Operand query, Operand key, Operand value, Operand mask, boolean maskWantsGradient,
            boolean wantsGradient, double dropout, boolean causal, boolean grouped) {

        private long size(Operand of, int dim) {
            return of.shape()[dim];
        }

        private boolean isFour() {
            return query.shape().length == 4 && key.shape().length == 4 && value.shape().length == 4;
        }

        private boolean isOf(Set<DType> dtypes) {
            return query.dtype() == key.dtype() && query.dtype() == value.dtype() && dtypes.contains(query.dtype());
        }

        private boolean isSomething() {
            return size(query, 2) != 0 && size(key, 2) != 0;
        }

        /** check_last_dim_stride_equals_1_dense. */
        private boolean rowsLieDense(boolean orSingle) {
            boolean dense = query.strides()[3] == 1 && key.strides()[3] == 1 && value.strides()[3] == 1;
            boolean masked = mask == null || mask.strides()[mask.strides().length - 1] == 1;
            return (dense || orSingle && size(query, 3) == 1) && masked;
        }

        /** check_batch_size_and_num_heads_dense. */
        private boolean headsFit(boolean takesGroups, boolean sameKeysAndValues) {
            if (size(query, 0) != size(key, 0) || size(query, 0) != size(value, 0)) {
                return false;
            }
            long heads = size(query, 1);
            long keys = size(key, 1);
            long values = size(value, 1);
            if (grouped && takesGroups) {
                boolean divides = heads % keys == 0 && heads % values == 0;
                return divides && (keys == values || !sameKeysAndValues);
            }
            return heads == keys && heads == values;
        }

        /** check_attn_mask_shape. */
        private boolean maskFits() {
            if (mask == null) {
                return true;
            }
            int rank = mask.shape().length;
            if (maskWantsGradient || rank != 2 && rank != 4) {
                return false;
            }
            return fits(mask.shape()[rank - 2], size(query, 2)) && fits(mask.shape()[rank - 1], size(key, 2))
                    && (rank == 2 || fits(mask.shape()[0], size(query, 0)) && fits(mask.shape()[1], size(query, 1)));
        }

        private static boolean fits(long has, long wanted) {
            return has == 1 || has == wanted;
        }
    }

    /** PyTorch's choice on that GPU among the allowed ones; empty if none of them can. */
    public static Optional<AttentionBackend> of(DeviceProperties device, Question q, Set<AttentionBackend> allowed) {
        int capability = device.major() * 10 + device.minor();
        boolean prefersCudnn = device.major() == 9 || device.major() == 10;
        List<AttentionBackend> order = prefersCudnn
                ? List.of(CUDNN, FLASH, EFFICIENT, MATH)
                : List.of(FLASH, EFFICIENT, MATH, CUDNN);
        return order.stream().filter(allowed::contains).filter(backend -> switch (backend) {
            case CUDNN -> cudnn(capability, q);
            case FLASH -> flash(capability, q);
            case EFFICIENT -> efficient(capability, q);
            case MATH -> true;
        }).findFirst();
    }

    private static boolean cudnn(int capability, Question q) {
        if (!q.isFour() || !q.isOf(HALVES) || !q.maskFits() || capability < AMPERE || capability > NEWEST) {
            return false;
        }
        long limit = capability == 90 ? CUDNN_HEAD_HOPPER : CUDNN_HEAD;
        long d = q.size(q.query, 3);
        long e = q.size(q.value, 3);
        boolean heads = d <= limit && e <= limit && d % CUDNN_STEP == 0 && e % CUDNN_STEP == 0;
        boolean lengths = q.size(q.key, 2) != 1 && (q.dropout == 0 || q.size(q.query, 2) != 1);
        return heads && lengths && q.isSomething() && q.rowsLieDense(true) && q.headsFit(true, false);
    }

    private static boolean flash(int capability, Question q) {
        if (!q.isFour() || q.mask != null || capability < AMPERE || capability > NEWEST || !q.isOf(HALVES)) {
            return false;
        }
        long d = q.size(q.query, 3);
        boolean heads = d == q.size(q.key, 3) && d == q.size(q.value, 3) && d <= LARGEST_FLASH_HEAD;
        boolean small = capability >= 86 && capability <= 89 || capability >= 120;
        boolean trains = !q.wantsGradient || !small || d <= 192 || q.dropout == 0 && d > 224;
        boolean square = !q.causal || q.size(q.query, 2) == q.size(q.key, 2);
        return heads && trains && square && q.headsFit(true, true) && q.isSomething() && q.rowsLieDense(true);
    }

    private static boolean efficient(int capability, Question q) {
        Set<DType> dtypes = capability >= AMPERE
                ? Set.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32)
                : Set.of(DType.FLOAT16, DType.FLOAT32);
        if (!q.isFour() || !q.isOf(dtypes) || capability < 50 || capability > NEWEST) {
            return false;
        }
        long step = alignment(capability, q.query.dtype());
        long d = q.size(q.query, 3);
        long e = q.size(q.value, 3);
        boolean heads = d == q.size(q.key, 3) && d % step == 0 && d > 0 && e % step == 0 && e > 0;
        return heads && q.isSomething() && q.rowsLieDense(false) && q.headsFit(false, true);
    }

    /** minimum_gemm_alignment: what head sizes must be multiples of. */
    private static long alignment(int capability, DType dtype) {
        boolean half = dtype.bytes() == 2;
        boolean tensorCores = capability >= AMPERE || capability >= 70 && half;
        long step = capability >= AMPERE ? 4 : 1;
        return tensorCores ? Math.max(step, half ? 8 : 4) : step;
    }
}
