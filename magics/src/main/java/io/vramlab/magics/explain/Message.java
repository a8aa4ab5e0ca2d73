package io.vramlab.magics.explain;

import java.util.List;
import java.util.Optional;

/**
 * An out-of-memory message that was found in a text.
 *
 * @param source
 *            what printed it
 * @param form
 *            the wording, by what is peculiar to it
 * @param versions
 *            versions that print it, as far as that is known
 * @param device
 *            index of the device, -1 when it is not told
 * @param figures
 *            every figure in it
 * @param at
 *            where in the text it begins
 * @param text
 *            the message itself, white space folded
 */
public record Message(Source source, String form, String versions, int device, List<Figure> figures, int at,
        String text) {

    /** What prints such messages. */
    public enum Source {
        /** PyTorch's caching allocator, for CUDA, ROCm and XPU. */
        PYTORCH("PyTorch"),
        /** PyTorch on CUDA's own pool. */
        PYTORCH_ASYNC("PyTorch, with CUDA's own pool"),
        /** PyTorch's allocator for Apple's GPUs. */
        PYTORCH_MPS("PyTorch on Apple's GPU"),
        /** An error of the CUDA runtime or driver that PyTorch passed on. */
        CUDA("CUDA"),
        /** The same of ROCm's runtime. */
        HIP("ROCm (HIP)"),
        /** An error of cuBLAS. */
        CUBLAS("cuBLAS"),
        /** An error of cuDNN. */
        CUDNN("cuDNN"),
        /** An error of cuSOLVER. */
        CUSOLVER("cuSOLVER"),
        /** An error of cuFFT. */
        CUFFT("cuFFT"),
        /** An error of cuSPARSE. */
        CUSPARSE("cuSPARSE"),
        /** An error of hipBLAS or rocBLAS. */
        HIPBLAS("hipBLAS"),
        /** An error of MIOpen. */
        MIOPEN("MIOpen"),
        /** The library for collective operations. */
        NCCL("NCCL"),
        /** The library for operations on quantized numbers. */
        BITSANDBYTES("bitsandbytes"),
        /** JAX, or XLA under another program. */
        XLA("JAX / XLA"),
        /** TensorFlow. */
        TENSORFLOW("TensorFlow"),
        /** XLA for TPUs. */
        TPU("XLA for TPUs"),
        /** ONNX Runtime. */
        ONNX("ONNX Runtime"),
        /** CuPy. */
        CUPY("CuPy"),
        /** vLLM. */
        VLLM("vLLM"),
        /** ggml, the library of llama.cpp, ollama and others. */
        GGML("llama.cpp (ggml)"),
        /** Triton's kernels. */
        TRITON("Triton"),
        /** PyTorch on DirectML. */
        DIRECTML("PyTorch on DirectML"),
        /** TensorRT. */
        TENSORRT("TensorRT"),
        /** transformers, which lets Accelerate plan where a model's parts go. */
        ACCELERATE("transformers (Accelerate)"),
        /** SGLang. */
        SGLANG("SGLang"),
        /** Text Generation Inference. */
        TGI("Text Generation Inference"),
        /** ollama. */
        OLLAMA("ollama"),
        /** Intel's runtime, under PyTorch for XPU and others. */
        SYCL("Intel's runtime (SYCL)"),
        /** Apple's Metal, under MLX, llama.cpp and others. */
        METAL("Metal"),
        /** PaddlePaddle. */
        PADDLE("PaddlePaddle"),
        /** The memory manager of cuDF, cuML and others. */
        RMM("RAPIDS (RMM)"),
        /** XGBoost. */
        XGBOOST("XGBoost"),
        /** WebGPU, in a browser. */
        WEBGPU("WebGPU"),
        /** Ray. */
        RAY("Ray"),
        /** The driver's own tool. */
        NVIDIA_SMI("nvidia-smi"),
        /** Whatever uses the computer's memory. */
        HOST("the system, Python or a library"),
        /** A text that names nobody. */
        UNKNOWN("a program");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        /** As people write it. */
        public String words() {
            return words;
        }
    }

    /** The first figure of that role. */
    public Optional<Amount> amount(Role role) {
        return figures.stream().filter(f -> f.role() == role).map(Figure::amount).findFirst();
    }

    /** Every figure of that role. */
    public List<Amount> amounts(Role role) {
        return figures.stream().filter(f -> f.role() == role).map(Figure::amount).toList();
    }

    /** The figure of that name. */
    Optional<Amount> named(String name) {
        return figures.stream().filter(f -> f.name().equals(name)).map(Figure::amount).findFirst();
    }
}
