package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.Operand;
import io.vramlab.footprint.AttentionBackend.Question;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which kernel computes attention on which GPU, and sizes that can be worked out by hand. */
class AttentionRulesTest {

    private static final DeviceProperties H200 = DeviceProfile.find("H200").orElseThrow();
    private static final DeviceProperties A100 = DeviceProfile.find("A100-80GB").orElseThrow();
    private static final DeviceProperties T4 = DeviceProfile.find("T4").orElseThrow();
    private static final Set<AttentionBackend> ALL = EnumSet.allOf(AttentionBackend.class);

    private static Operand dense(DType dtype, long... shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= shape[d];
        }
        return new Operand(0, dtype, shape, strides);
    }

    private static Question question(DType dtype, long heads, long kv, long size, Operand mask) {
        return new Question(dense(dtype, 2, heads, 64, size), dense(dtype, 2, kv, 64, size),
                dense(dtype, 2, kv, 64, size), mask, false, true, 0, false, heads != kv);
    }

    private static AttentionBackend chosen(DeviceProperties device, Question question) {
        return AttentionBackend.of(device, question, ALL).orElseThrow();
    }

    @Test
    void anH200ComputesLowerPrecisionByCudnnAndFloat32ByTheEfficientKernels() {
        assertEquals(AttentionBackend.CUDNN, chosen(H200, question(DType.BFLOAT16, 8, 8, 64, null)));
        assertEquals(AttentionBackend.EFFICIENT, chosen(H200, question(DType.FLOAT32, 8, 8, 64, null)));
        assertEquals(AttentionBackend.MATH, chosen(H200, question(DType.FLOAT64, 8, 8, 64, null)));
        // heads that are no multiple of 8 are padded for flash attention; float32 ones no multiple of 4 are nobody's
        assertEquals(AttentionBackend.FLASH, chosen(H200, question(DType.BFLOAT16, 8, 8, 33, null)));
        assertEquals(AttentionBackend.MATH, chosen(H200, question(DType.FLOAT32, 8, 8, 33, null)));
        // shared keys
        assertEquals(AttentionBackend.CUDNN, chosen(H200, question(DType.FLOAT16, 8, 2, 64, null)));
        assertEquals(AttentionBackend.MATH, chosen(H200, question(DType.FLOAT32, 8, 2, 64, null)));
    }

    @Test
    void anA100TakesFlashFirstAndAT4HasNone() {
        assertEquals(AttentionBackend.FLASH, chosen(A100, question(DType.BFLOAT16, 8, 8, 64, null)));
        Operand mask = dense(DType.BFLOAT16, 64, 64);
        assertEquals(AttentionBackend.EFFICIENT, chosen(A100, question(DType.BFLOAT16, 8, 8, 64, mask)));
        assertEquals(AttentionBackend.EFFICIENT, chosen(T4, question(DType.FLOAT16, 8, 8, 64, null)));
        assertEquals(AttentionBackend.EFFICIENT, chosen(T4, question(DType.FLOAT32, 8, 8, 33, null)));
        assertEquals(AttentionBackend.MATH, chosen(T4, question(DType.BFLOAT16, 8, 8, 64, null)));
    }

    @Test
    void onlyWhatIsAllowedIsChosen() {
        Question question = question(DType.FLOAT32, 8, 8, 64, null);
        assertEquals(Optional.of(AttentionBackend.MATH),
                AttentionBackend.of(H200, question, Set.of(AttentionBackend.MATH, AttentionBackend.FLASH)));
        assertEquals(Optional.empty(), AttentionBackend.of(H200, question, Set.of(AttentionBackend.FLASH)));
    }

    @Test
    void flashSharesKeysOutWhereQueriesAreFew() {
        // 8 heads of 256 queries are 32 tasks for 2 * 132 places; 256 keys are 2 blocks of 128: 2 splits use 64 of 264
        long[] query = {2, 4, 256, 104};
        assertArrayEquals(new long[]{2 * 8 * 256 * 4, 2 * 8 * 256 * 128 * 4},
                FlashAttention.parts(H200, query, query, false));
        assertArrayEquals(new long[0], FlashAttention.parts(H200, query, query, true));
        // 64 heads of 1,024 queries are 1,024 tasks: more than there are places
        assertArrayEquals(new long[0],
                FlashAttention.parts(H200, new long[]{4, 16, 1024, 64}, new long[]{4, 16, 1024, 64}, false));
    }

    @Test
    void theWorkspaceOfEfficientAttentionConsistsOfTiles() {
        // 100 queries are 2 tiles of 64 x 64, of 4 bytes and 16 for a lock each
        assertEquals(8 * 2 * (64 * 64 * 4 + 16), EfficientAttention.workspace(H200, new long[]{2, 4, 100, 24},
                new long[]{2, 4, 100, 24}, DType.FLOAT32, false));
        // heads of 264 in bfloat16: 2 splits of the keys, each with 64 rows of 384 for keys and for values, and 1 x 5 tiles
        // of 128 x 64
        assertEquals(8 * (2 * 2 * 64 * 384 * 4 + 5 * (128 * 64 * 4 + 16)), EfficientAttention.workspace(H200,
                new long[]{2, 4, 100, 264}, new long[]{2, 4, 100, 264}, DType.BFLOAT16, false));
    }

    @Test
    void cudnnSumsTheQueriesGradientInFloat32() {
        // 8 heads of 64 rows of 8 and one number, and 256 bytes
        assertEquals(8 * 64 * 9 * 4 + 256, CudnnAttention.backward(new long[]{2, 4, 64, 8}, new long[]{2, 4, 64, 8},
                new long[]{2, 4, 64, 8}, 2).peak());
        // keys and values of 2 heads for 4 each: as many more as 8 heads have
        assertEquals(16 * 128 * 65 * 4 + 256 + 2 * 16 * 128 * 64 * 2, CudnnAttention.backward(
                new long[]{2, 8, 128, 64}, new long[]{2, 2, 128, 64}, new long[]{2, 2, 128, 64}, 2).peak());
    }

    /** As an H100 took it, heads of 64: sums of each part in float32, then two numbers per row, each aligned to 128, and 128. */
    @Test
    void aSingleQueryIsSharedOutAmongThePartsOfManyKeys() {
        assertEquals(0, single(8, 14, 2, 512));
        assertEquals(4 * 14 * 64 * 4 + 2 * 256 + 128, single(1, 14, 2, 513)); // 224 bytes of each number, aligned
        assertEquals(118_400, single(8, 14, 2, 1000));
        assertEquals(236_672, single(8, 14, 2, 1020)); // counted by sixteens: eight tiles of 128
        assertEquals(236_672, single(8, 14, 2, 1071));
        assertEquals(473_216, single(8, 14, 2, 8192)); // 16 parts of 16 heads of keys are 256 blocks
        assertEquals(67_712, single(8, 8, 8, 8192));
        assertEquals(0, single(48, 14, 2, 8192)); // four parts would be 384
    }

    private static long single(long batch, long heads, long groups, long keys) {
        long[] key = {batch, groups, keys, 64};
        return CudnnAttention.forward(new long[]{batch, heads, 1, 64}, key, key).steps().stream()
                .mapToLong(step -> step instanceof Footprint.Taken(long bytes) ? bytes : 0).sum();
    }
}
