package io.vramlab.footprint;

import io.vramlab.device.DeviceProperties;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The rules of this package, each with where it comes from. The table in docs/footprint.md, "Where each rule comes from",
 * has a row for each.
 */
public enum Rule {

    /** {@link ReductionScratch}. */
    REDUCTION("reductions over several blocks", ReductionScratch.class, "Reduce.cuh, setReduceConfig", Basis.DERIVED),
    /** {@link Accumulator}. */
    ACCUMULATOR("accumulators of reductions", Accumulator.class, "SharedReduceOps.h", Basis.DERIVED),
    /** {@link TopkScratch}. */
    TOPK("topk: which rows, how many blocks", TopkScratch.class, "TensorTopK.cu", Basis.DERIVED),
    /** {@link CubScratch}. */
    CUB("CUB's sort, scan and scan by key", CubScratch.class, "recordings of 1 to 1,000,000 items", Basis.FITTED),
    /** {@link SelectionScratch}; its part of CUB's is {@link #CUB}. */
    SELECTION("finding, sorting and scanning elements", SelectionScratch.class,
            "Nonzero.cu, Sort.cu, Unique.cu, Randperm.cu", Basis.DERIVED),
    /** {@link IndexedRowsScratch}; its part of CUB's is {@link #CUB}. */
    INDEXED_ROWS("gradient of indexed rows", IndexedRowsScratch.class, "Indexing.cu, index_put_with_sort_kernel",
            Basis.DERIVED),
    /** {@link EmbeddingScratch}; its tiles were fitted. */
    EMBEDDING("gradient of an embedding", EmbeddingScratch.class, "EmbeddingBackwardKernel.cu", Basis.FITTED),
    /** {@link BatchNormScratch}. */
    BATCH_NORM("batch norm over neighbouring channels", BatchNormScratch.class,
            "Normalization.cuh, flexible_launch_configs", Basis.DERIVED),
    /** {@link LayerNormParts}. */
    LAYER_NORM("layer norm of many rows", LayerNormParts.class, "layer_norm_kernel.cu", Basis.DERIVED),
    /** {@link GradientNorms}. */
    GRADIENT_NORMS("norms of many gradients", GradientNorms.class, "ForeachReduceOp.cu", Basis.DERIVED),
    /** {@link AttentionBackend}. */
    ATTENTION_BACKEND("attention: which of four ways", AttentionBackend.class, "sdp_utils.cpp, select_sdp_backend",
            Basis.DERIVED),
    /** {@link FlashAttention}. */
    FLASH_ATTENTION("flash attention", FlashAttention.class, "flash_api.cpp, mha_fwd, mha_bwd", Basis.DERIVED),
    /** {@link EfficientAttention}. */
    EFFICIENT_ATTENTION("memory-efficient attention", EfficientAttention.class,
            "attention.cu, attention_backward.cu, cutlassB.h", Basis.DERIVED),
    /** {@link CudnnAttention}. */
    CUDNN_ATTENTION("cuDNN's attention", CudnnAttention.class, "recordings of cuDNN 9.19", Basis.FITTED),
    /** {@link ConvolutionWorkspace}. */
    CONVOLUTION("cuDNN's workspaces of convolutions", ConvolutionWorkspace.class,
            "a table of 889,855 products that an H200 took or answered; a tree where it ends", Basis.FITTED),
    /** {@link RecurrentMemory}; its reserve follows a rule. */
    RECURRENT("cuDNN's reserves and workspaces of recurrent layers", RecurrentMemory.class,
            "recordings of 1,013 calls", Basis.FITTED),
    /** {@link CublasWorkspace}. */
    CUBLAS_WORKSPACE("cuBLAS and cublasLt workspaces", CublasWorkspace.class, "CublasHandlePool.cpp, Blas.cpp",
            Basis.DERIVED);

    /** How a rule is known. */
    public enum Basis {
        /** Read in PyTorch's source, with the device's figures as variables. */
        DERIVED,
        /** Constants chosen until recordings agreed; they belong to the recorded architecture. */
        FITTED
    }

    /** The version of PyTorch whose rules these are. */
    public static final String PYTORCH = "2.11.0";
    /** The compute capability that was recorded: an H200's. */
    public static final String RECORDED = "9.0";

    private final String what;
    private final Class<?> where;
    private final String source;
    private final Basis basis;

    Rule(String what, Class<?> where, String source, Basis basis) {
        this.what = what;
        this.where = where;
        this.source = source;
        this.basis = basis;
    }

    /** What it is about, in a few words. */
    public String what() {
        return what;
    }

    /** The class that computes it. */
    public Class<?> where() {
        return where;
    }

    /** The file and function of PyTorch it was read in, or what it was fitted to. */
    public String source() {
        return source;
    }

    /** How it is known. */
    public Basis basis() {
        return basis;
    }

    /** What a reader of that device's figures must know: which rules may be off there; empty if none. */
    public static Optional<String> caveat(DeviceProperties device) {
        String capability = device.major() + "." + device.minor();
        if (capability.equals(RECORDED)) {
            return Optional.empty();
        }
        String fitted = Arrays.stream(values()).filter(rule -> rule.basis == Basis.FITTED).map(Rule::what)
                .collect(Collectors.joining("; "));
        return Optional.of("Fitted to recordings of compute capability " + RECORDED + ", and perhaps otherwise on "
                + capability + ", is what PyTorch takes for a moment in: " + fitted + ".");
    }
}
