package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which cuDNN {@code install/vramlab_cudnn.py} asks, and what it tells it of a GPU; without a cuDNN. */
class CudnnAskedTest {

    private static String python(Map<String, String> environment, String program) throws Exception {
        try {
            return Commands.run(environment, List.of("python3", "-c",
                    "import sys; sys.path.insert(0, sys.argv[1]); import vramlab_cudnn as v\n" + program,
                    Checkout.file("install").toString())).ok().out().strip();
        } catch (IOException none) {
            Assumptions.abort("no Python at hand");
            return "";
        }
    }

    @Test
    void aFolderThatIsNamedCountsAndNoneOfThePackages(@TempDir Path empty) throws Exception {
        String find = "print(v.find(('NVIDIA H200', (9, 0), 132, 150109880320)))";
        assertEquals("None", python(Map.of("VRAMLAB_CUDNN", empty.toString()), find));
        assertEquals("None", python(Map.of("VRAMLAB_CUDNN", "none"), find));
    }

    @Test
    void aGpuIsDescribedByItsOwnFiguresAndItsCapabilitysLimits() throws Exception {
        String told = "print(*(p[k] for k in ('l2CacheSize', 'memClockRateKHz', 'smClockRateKHz', 'maxSharedMemoryPerBlockOptin',"
                + " 'maxCtasPerSM', 'maxThreadsPerSM')))";
        assertEquals("2359296 7501000 1777000 101376 16 1536", python(Map.of(),
                "p = v.properties(('NVIDIA GeForce RTX 3060', (8, 6), 28, 12622168064))\n" + told));
        // one that is not in the table: an A100's figures before Hopper, the limits of compute capability 8.9
        assertEquals("41943040 1593000 1410000 101376 24 1536",
                python(Map.of(), "p = v.properties(('Another', (8, 9), 60, 1 << 34))\n" + told));
        assertEquals("62914560 3201000 1980000 232448 32 2048",
                python(Map.of(), "p = v.properties(('NVIDIA H200', (9, 0), 132, 150109880320))\n" + told));
    }

    /** Three results of 96 bytes are wanted: as many are told, all zero. */
    @Test
    void whatStandsInForCublasSaysYesToWhatCudnnAsksWhileItPlans() throws Exception {
        Assumptions.assumeTrue(
                System.getProperty("os.arch").equals("amd64") && System.getProperty("os.name").equals("Linux"),
                "it is made for Linux on x86-64");
        assertEquals("True 0 True 0 3 288", python(Map.of(),
                """
                        import ctypes, vramlab_cublas
                        loaded = vramlab_cublas.stand_in("libcublasLt.so.13")
                        cublas, handle, results, found = ctypes.CDLL("libcublasLt.so.13"), ctypes.c_void_p(), ctypes.create_string_buffer(b"x" * 288, 288), ctypes.c_int()
                        print(loaded, cublas.cublasLtCreate(ctypes.byref(handle)), bool(handle),
                              cublas.cublasLtMatmulAlgoGetHeuristic(handle, *[None] * 6, 3, results, ctypes.byref(found)), found.value, results.raw.count(0))
                        """));
    }
}
