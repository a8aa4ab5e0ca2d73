package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds failures to allocate that carry no figure: of the CUDA runtime and driver, of cuBLAS and of cuDNN. */
final class LibraryMessages {

    /** A wording and what prints it. */
    private record Wording(Pattern words, Message.Source source, String form, String versions) {
    }

    private static final List<Wording> WORDINGS = List.of(
            wording("CUDA driver error: out of memory", Message.Source.CUDA, "driver error",
                    "PyTorch 2.1 and later, where it calls the driver itself: expandable segments"),
            wording("(?:AcceleratorError: )?CUDA error: out of memory ?Search for `cudaErrorMemoryAllocation'",
                    Message.Source.CUDA, "runtime error with a link to the error's page",
                    "PyTorch 2.9 or 2.10 and later"),
            wording("(?:AcceleratorError: )?CUDA error: ?out of memory", Message.Source.CUDA, "runtime error",
                    "PyTorch 1.0 and later"),
            wording("(?:AcceleratorError: )?HIP error: ?out of memory|hipErrorOutOfMemory(?!')", Message.Source.HIP,
                    "runtime error", "every one"),
            wording("THCudaCheck FAIL \\S+ line=\\d+ error=2 : out of memory", Message.Source.CUDA, "runtime error (2)",
                    "PyTorch to 1.7"),
            wording("(?:CUDA|Cuda|cuda) (?:[Ee]rror|[Ff]ailure)(?: 2)?: ?out of memory|\\[CUDA\\] out of memory"
                    + "|cudaMalloc failed: out of memory",
                    Message.Source.CUDA, "runtime error", "whatever calls the runtime itself"),
            wording("cuMem(?!Host)\\w*Alloc\\w* failed: out of memory|cuMemCreate failed: out of memory",
                    Message.Source.CUDA,
                    "driver error", "whatever calls the driver itself, such as Numba, PyCUDA or TensorRT"),
            wording("cuda runtime error \\(2\\) : out of memory", Message.Source.CUDA, "runtime error (2)",
                    "PyTorch 0.1 to 1.0, and Torch 7"),
            wording("Cuda failure(?: \\d+)? 'out of memory'", Message.Source.NCCL, "Cuda failure", "every one"),
            wording("Error out of memory at line \\d+ in file \\S*(?:csrc|bitsandbytes)\\S*",
                    Message.Source.BITSANDBYTES,
                    "Error out of memory", "every one"),
            wording("(?<!from device: )CUDA_ERROR_OUT_OF_MEMORY", Message.Source.CUDA, "driver error",
                    "whatever calls the driver itself, such as Numba, PyCUDA or TensorRT"),
            wording("cudaErrorMemoryAllocation(?!')", Message.Source.CUDA, "runtime error",
                    "whatever calls the runtime itself"),
            wording("(?:CUDA error: |CUBLAS failure 3: |failed to create cublas handle: )?CUBLAS_STATUS_ALLOC_FAILED",
                    Message.Source.CUBLAS, "CUBLAS_STATUS_ALLOC_FAILED", "every one"),
            wording("(?:CUDA error: |failed to create cublas handle: )?CUBLAS_STATUS_NOT_INITIALIZED",
                    Message.Source.CUBLAS, "CUBLAS_STATUS_NOT_INITIALIZED", "every one"),
            wording("(?:cusolver error: )?CUSOLVER_STATUS_(?:ALLOC_FAILED|NOT_INITIALIZED)", Message.Source.CUSOLVER,
                    "CUSOLVER_STATUS", "every one"),
            wording("(?:cu?FFT error: )?CUFFT_ALLOC_FAILED", Message.Source.CUFFT, "CUFFT_ALLOC_FAILED", "every one"),
            wording("CUSPARSE_STATUS_(?:ALLOC_FAILED|INSUFFICIENT_RESOURCES)", Message.Source.CUSPARSE,
                    "CUSPARSE_STATUS", "every one"),
            wording("HIPBLAS_STATUS_ALLOC_FAILED|rocblas_status_memory_error", Message.Source.HIPBLAS,
                    "HIPBLAS_STATUS_ALLOC_FAILED", "every one"),
            wording("miopenStatusAllocFailed", Message.Source.MIOPEN, "miopenStatusAllocFailed", "every one"),
            wording("CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED", Message.Source.CUDNN,
                    "device allocation failed", "cuDNN 9"),
            wording("(?:cuDNN error: )?CUDNN_STATUS_ALLOC_FAILED", Message.Source.CUDNN, "CUDNN_STATUS_ALLOC_FAILED",
                    "cuDNN to 8"),
            wording("(?:cuDNN error: )?CUDNN_STATUS_NOT_INITIALIZED", Message.Source.CUDNN,
                    "CUDNN_STATUS_NOT_INITIALIZED", "every one"));

    private LibraryMessages() {
    }

    private static Wording wording(String words, Message.Source source, String form, String versions) {
        return new Wording(Pattern.compile(words), source, form, versions);
    }

    /** Where more than one wording begins at a place, the first counts. */
    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        for (Wording wording : WORDINGS) {
            Matcher matcher = wording.words().matcher(text);
            while (matcher.find()) {
                int at = matcher.start();
                if (found.stream().noneMatch(m -> m.at() <= at && at < m.at() + m.text().length())) {
                    found.add(new Message(wording.source(), wording.form(), wording.versions(), -1, List.of(), at,
                            matcher.group()));
                }
            }
        }
        return found;
    }
}
