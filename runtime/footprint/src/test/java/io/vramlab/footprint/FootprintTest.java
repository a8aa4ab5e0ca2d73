package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.Operand;
import io.vramlab.footprint.Footprint.GivenBack;
import io.vramlab.footprint.Footprint.Taken;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FootprintTest {

    private static final DeviceProperties H200 = DeviceProfile.find("H200").orElseThrow();
    private static final long MIB = 1L << 20;

    @Test
    void theSumOverTheRowsOfALargeMatrixTakes128MiBOfStaging() {
        Operand matrix = new Operand(0, DType.FLOAT32, new long[]{4096, 4096}, new long[]{4096, 1});
        ReductionScratch scratch = ReductionScratch.of(matrix, new boolean[]{true, false}, 4, H200);
        // docs/footprint.md, "Examples": width 32, v 4, 64 blocks: 4 B x 4,096 outputs x 64 x (32 x 4); grid 32, 4 B each
        assertEquals(new Footprint(List.of(new Taken(128 * MIB), new Taken(128))), scratch.footprint());
    }

    @Test
    void whatPassesIsGivenBackBeforeTheNextIsTaken() {
        Footprint footprint = new Footprint.Steps().pass(300).pass(200).done();
        assertEquals(List.of(new Taken(300), new GivenBack(0), new Taken(200), new GivenBack(1)), footprint.steps());
        assertEquals(300, footprint.peak());
    }

    @Test
    void indicesAreBroughtIntoRangeAndThatCopyGoesBeforeTheyAreSorted() {
        Footprint footprint = IndexedRowsScratch.of(100, 1000);
        // in range and positions at once, then positions and three more, and one byte of CUB's for so few
        assertEquals(4 * 800 + 1, footprint.peak());
        assertEquals(new GivenBack(0), footprint.steps().get(2));
        assertEquals(Footprint.NOTHING, IndexedRowsScratch.of(0, 1000));
    }

    /** Two dimensions are indexed, and what is added does not lie packed: 24 rows, of 577 and 50 to choose from. */
    @Test
    void eachIndexedDimensionHasItsPositionsAndWhatIsAddedIsPacked() {
        Footprint footprint = IndexedRowsScratch.of(24, 577 * 50, 2, 36864);
        List<Footprint.Step> steps = footprint.steps();
        assertEquals(List.of(new Taken(192), new Taken(192), new GivenBack(0), new Taken(192), new Taken(192),
                new GivenBack(2), new GivenBack(3), new Taken(36864)), steps.subList(0, 8));
    }

    /** Of an H200, images of half precision and float32 with channels side by side; 64 of 8 x 112 x 112 were recorded first. */
    @Test
    void cudnnsBatchNormKeepsSumsOfBlocksOfRows() {
        assertEquals(325_124, CudnnBatchNorm.forward(8 * 112 * 112, 64, 2));
        assertEquals(325_124, CudnnBatchNorm.forward(8 * 112 * 112, 32, 2));
        assertEquals(32_036, CudnnBatchNorm.forward(8 * 24 * 20, 16, 2));
        assertEquals(21_540, CudnnBatchNorm.backward(8 * 24 * 20, 16, 2));
        assertEquals(166_224, CudnnBatchNorm.forward(8 * 28 * 28, 512, 2));
        // an H100's: 16 groups of 4 blocks, 8 of 15, 32 of 15
        assertEquals(34_160, CudnnBatchNorm.forward(20 * 29, 1024, 2));
        assertEquals(63_024, CudnnBatchNorm.forward(48 * 7 * 7, 512, 2));
        assertEquals(248_880, CudnnBatchNorm.forward(48 * 7 * 7, 2048, 2));
        assertEquals(529_472, CudnnBatchNorm.forward(4 * 64 * 64, 256, 4));
        assertEquals(271_424, CudnnBatchNorm.backward(8 * 28 * 28, 512, 2));
        assertEquals(351_280, CudnnBatchNorm.backward(4 * 64 * 64, 256, 4));
        // channels that are no multiple of 4
        assertEquals(34_880, CudnnBatchNorm.forward(16 * 16 * 16, 58, 4));
        assertEquals(22_212, CudnnBatchNorm.forward(32 * 8 * 8, 66, 4));
        assertEquals(15_156, CudnnBatchNorm.backward(32 * 8 * 8, 66, 4));
    }

    @Test
    void workspacesAreThoseOfTheArchitectureUnlessTheVariablesSayOtherwise() {
        DeviceProperties a100 = DeviceProfile.find("A100-80GB").orElseThrow();
        assertEquals(32 * MIB, CublasWorkspace.bytes(H200, CublasVariables.UNSET));
        // 4,096 KiB twice and 16 KiB eight times: the default of cuBLAS before Hopper
        assertEquals(8_519_680, CublasWorkspace.bytes(a100, CublasVariables.UNSET));
        Map<String, String> started = Map.of("CUBLAS_WORKSPACE_CONFIG", ":16:8", "DISABLE_ADDMM_CUDA_LT", "1");
        CublasVariables variables = CublasVariables.of(started::get);
        assertEquals(128 << 10, CublasWorkspace.bytes(H200, variables));
        assertEquals(0, CublasWorkspace.ltBytes(variables));
        assertEquals(MIB, CublasWorkspace.ltBytes(CublasVariables.UNSET));
    }

    @Test
    void anotherArchitectureThanTheRecordedIsToldOfFittedRulesOnly() {
        assertTrue(Rule.caveat(H200).isEmpty());
        String caveat = Rule.caveat(DeviceProfile.find("T4").orElseThrow()).orElseThrow();
        assertTrue(caveat.contains("9.0") && caveat.contains("7.5") && caveat.contains(Rule.CUB.what()), caveat);
        assertTrue(!caveat.contains(Rule.REDUCTION.what()), caveat);
    }
}
