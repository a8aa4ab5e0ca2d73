package io.vramlab.install;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.Optional;

import io.vramlab.memory.Sizes;

/**
 * NVIDIA's driver, the GPUs behind it, cuBLAS and cuDNN.
 *
 * <p>
 * Asked through {@link java.lang.foreign} and not through the runtime, so that the doctor also tells of a driver that the runtime cannot use.
 */
final class CudaCheck {

    private static final List<String> DRIVERS = List.of("libcuda.so.1", "nvcuda.dll");
    private static final List<String> BLAS = List.of("libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
            "cublas64_13.dll",
            "cublas64_12.dll", "cublas64_11.dll");
    private static final List<String> DNN = List.of("libcudnn.so.9", "cudnn64_9.dll");
    private static final int NAME_BYTES = 256;

    private CudaCheck() {
    }

    static List<DoctorFinding> findings() {
        try (Arena arena = Arena.ofConfined()) {
            Optional<Library> driver = Library.first(DRIVERS, arena);
            List<DoctorFinding> findings = new ArrayList<>();
            if (driver.isEmpty()) {
                findings.add(DoctorFinding.absent("driver", "no NVIDIA driver (" + String.join(", ", DRIVERS) + ")",
                        "None is needed for the simulated GPU; for a real one install NVIDIA's driver."));
            } else {
                findings.addAll(gpus(driver.get(), arena));
            }
            findings.add(Library.first(looked("VRAMLAB_CUBLAS", BLAS), arena)
                    .map(blas -> DoctorFinding.found("cuBLAS", blas.name()))
                    .orElseGet(() -> DoctorFinding.absent("cuBLAS", "none of " + String.join(", ", BLAS),
                            "Matrix products on a real GPU then use VramLab's own kernel: same bytes, slower. CUDA's toolkit brings cuBLAS.")));
            findings.add(Library.first(looked("VRAMLAB_CUDNN", DNN), arena)
                    .map(dnn -> DoctorFinding.found("cuDNN", dnn.name()))
                    .orElseGet(() -> DoctorFinding.absent("cuDNN", "none of " + String.join(", ", DNN),
                            "Convolutions on a real GPU then use VramLab's own kernel, slowly, and what cuDNN would work in is estimated. "
                                    + "PyTorch brings cuDNN: VRAMLAB_CUDNN names the folder nvidia/cudnn/lib among Python's packages.")));
            return findings;
        }
    }

    /** The folder that a variable names comes first, as for the runtime. */
    private static List<String> looked(String variable, List<String> names) {
        String folder = System.getenv(variable);
        return Stream.concat(names.stream().filter(name -> folder != null && Files.exists(Path.of(folder, name)))
                .map(name -> Path.of(folder, name).toString()), names.stream()).toList();
    }

    private static List<DoctorFinding> gpus(Library driver, Arena arena) {
        MemorySegment number = arena.allocate(JAVA_LONG);
        int status = driver.call("cuInit", FunctionDescriptor.of(JAVA_INT, JAVA_INT), 0);
        driver.call("cuDriverGetVersion", FunctionDescriptor.of(JAVA_INT, ADDRESS), number);
        int version = number.get(JAVA_INT, 0);
        List<DoctorFinding> findings = new ArrayList<>();
        findings.add(
                DoctorFinding.found("driver", driver.name() + ", CUDA " + version / 1000 + "." + version % 1000 / 10));
        if (status != 0) {
            findings.add(DoctorFinding.absent("GPU", "the driver found none (cuInit answers " + status + ")",
                    "The simulated GPU is used."));
            return findings;
        }
        driver.call("cuDeviceGetCount", FunctionDescriptor.of(JAVA_INT, ADDRESS), number);
        int count = number.get(JAVA_INT, 0);
        for (int device = 0; device < count; device++) {
            MemorySegment name = arena.allocate(NAME_BYTES);
            driver.call("cuDeviceGetName", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), name,
                    NAME_BYTES, device);
            driver.call("cuDeviceTotalMem_v2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), number, device);
            findings.add(DoctorFinding.found("GPU",
                    "cuda:" + device + " " + name.getString(0) + ", " + Sizes.both(number.get(JAVA_LONG, 0))));
        }
        return findings;
    }

    /** A shared library that could be loaded. */
    private record Library(String name, SymbolLookup symbols) {

        static Optional<Library> first(List<String> names, Arena arena) {
            for (String name : names) {
                try {
                    return Optional.of(new Library(name, SymbolLookup.libraryLookup(name, arena)));
                } catch (IllegalArgumentException notHere) {
                    continue; // the next name
                }
            }
            return Optional.empty();
        }

        int call(String function, FunctionDescriptor shape, Object... arguments) {
            try {
                return (int) Linker.nativeLinker().downcallHandle(symbols.findOrThrow(function), shape)
                        .invokeWithArguments(arguments);
            } catch (Throwable failure) {
                throw new IllegalStateException(function + " of " + name, failure);
            }
        }
    }
}
