package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * A thousand cases of operations that programs call, forward and with backward, as an H100 recorded them in one run
 * ({@code thousand_operations.py}): what each takes, in which order. Before each a marker is taken and given back.
 */
class ThousandOperationsTest {

    private static final long MARKER = 7 << 20;
    private static final long MARKED = 512;

    /**
     * Of these families some or all cases take otherwise. Values that only a GPU knows: what has zeros ({@code prod}, {@code cumprod}),
     * how many are chosen or alike ({@code argwhere}, {@code nonzero}, {@code where}, {@code masked_select}, {@code isin_big}), when LBFGS
     * ends, which polynomial an exponential takes. Workspaces of cuSOLVER, cuSPARSE, cuDNN and cuFFT between the sizes of their tables.
     * Formulas that PyTorch has for tensors and not for fake ones ({@code masked_fill_t}). No rule: {@code ldl}, {@code lobpcg},
     * eigenvalues of general matrices, products and sums of two sparse ones, nested tensors that are not jagged.
     */
    private static final Set<String> OTHERWISE = Set.of("argwhere", "cumprod_one_zero", "cumprod_zeros", "cx_linear",
            "cx_mm_H", "cx_solve", "d_vonmises", "dw", "eigh", "ff_fft", "ff_fft_bigprime", "ff_fft_prime", "ff_rfft",
            "fn_linearize", "grp", "householder_product", "householder_product_batch", "isin_big", "ldl", "ldl_solve",
            "linalg_eig", "linalg_eig_b", "linalg_eig_batch", "linalg_eigvals", "linalg_eigvals_b", "lo_ce_smooth_w",
            "lobpcg", "lstmp_float", "lstsq_wide", "lu", "ly_embbag", "ly_embbag_w", "masked_fill_t", "masked_select",
            "matrix_exp", "matrix_exp_batch", "matrix_exp_large_norm", "matrix_exp_small_norm", "matrix_rank",
            "nanmedian", "nonzero_static", "nonzero_tuple", "nt_ln_b", "nt_strided", "op_lbfgs", "pinv_wide",
            "prod_all_one_zero", "prod_all_zeros", "prod_dim", "qr", "qr_b", "qr_complete", "qr_wide_b",
            "segment_reduce", "solve", "sp_add", "sp_mm_csr", "sp_mv_csr", "sp_sampled", "sp_select", "sp_softmax",
            "sp_spsp", "sp_tosparse", "svd", "svdfull", "svdvals", "u", "unfold", "vander", "where");

    @Test
    void eightOfTenTakeWhatAnH100RecordedAndInThatOrder() throws IOException {
        List<List<Long>> ours = cases(Script.of(
                ProgramTrace.read(getClass().getResourceAsStream("/plan/operations/thousand.trace")),
                DeviceProfile.find("H100-80GB").orElseThrow()));
        Set<String> otherwise = new TreeSet<>();
        int right = 0;
        try (BufferedReader recorded = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(getClass().getResourceAsStream("/plan/operations/thousand.events.gz"))))) {
            int at = 0;
            for (String line = recorded.readLine(); line != null; line = recorded.readLine()) {
                String name = line.substring(0, line.indexOf('\t'));
                List<Long> taken = Arrays.stream(line.substring(name.length() + 1).split(" "))
                        .filter(event -> event.startsWith("+")).map(Long::valueOf).toList();
                if (taken.isEmpty() || taken.equals(ours.get(at))) { // what PyTorch refuses is empty
                    right++;
                } else {
                    otherwise.add(name.replace("+b", "").replaceAll("_?[0-9].*", ""));
                }
                at++;
            }
        }
        assertEquals(new TreeSet<>(OTHERWISE), otherwise);
        assertEquals(847, right, "of 991");
    }

    /** What is taken between each marker and the next. */
    private static List<List<Long>> cases(Script script) {
        List<List<Long>> cases = new ArrayList<>();
        for (int i = 0; i < script.length(); i++) {
            if (script.takes(i) && script.bytes(i) == MARKER + MARKED * cases.size()) {
                cases.add(new ArrayList<>());
            } else if (script.takes(i) && script.bytes(i) > 0 && !cases.isEmpty()) {
                cases.getLast().add(script.bytes(i));
            }
        }
        return cases;
    }
}
