package io.vramlab.footprint;

import io.vramlab.device.DeviceProperties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How large the scratch memory is that PyTorch hands to cuBLAS and cublasLt (CublasHandlePool.cpp of 2.11): 32 MiB on
 * compute capability 9.0, else 8,519,680 bytes; cublasLt 1 MiB; other sizes if the process was started with {@link
 * CublasVariables}. See docs/footprint.md, "cuBLAS workspaces".
 */
public final class CublasWorkspace {

    private static final long HOPPER = 32L << 20;
    private static final long OTHERS = 8_519_680;
    private static final long LT_DEFAULT_KIB = 1024;
    private static final long KIB = 1024;
    private static final Pattern CONFIG = Pattern.compile(":(\\d+):(\\d+)");

    private CublasWorkspace() {
    }

    /** Bytes of cuBLAS's; 0 if there is none. */
    public static long bytes(DeviceProperties device, CublasVariables variables) {
        if (variables.config() != null) {
            Matcher parts = CONFIG.matcher(variables.config());
            long total = 0;
            boolean any = false;
            while (parts.find()) {
                any = true;
                total += Long.parseLong(parts.group(1)) * KIB * Long.parseLong(parts.group(2));
            }
            if (any) {
                return total;
            }
        }
        return device.major() == 9 && device.minor() == 0 ? HOPPER : OTHERS;
    }

    /** Bytes of cublasLt's; 0 if no product goes through it. */
    public static long ltBytes(CublasVariables variables) {
        if ("1".equals(variables.ltDisabled())) {
            return 0;
        }
        String kib = variables.ltKib();
        return KIB * (kib != null && kib.matches("\\d{1,9}") ? Long.parseLong(kib) : LT_DEFAULT_KIB);
    }

    /**
     * Whether a product with a bias goes through cublasLt (aten/src/ATen/native/cuda/Blas.cpp): when the bias is contiguous,
     * of one dimension and as long as the product has columns, and the right matrix has more than one row and column; the
     * left one may have a single row, as an H100 showed.
     *
     * @param bias
     *            its shape
     * @param b
     *            the right matrix's shape
     */
    public static boolean isLt(long[] bias, boolean contiguousBias, long[] b) {
        return bias.length == 1 && contiguousBias && bias[0] == b[1] && b[0] > 1 && b[1] > 1;
    }
}
