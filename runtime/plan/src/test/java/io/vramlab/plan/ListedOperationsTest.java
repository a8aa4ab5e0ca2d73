package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * The operations, modules and optimizers of PyTorch's own lists (op_db, module_db, optim_db) as an H100 recorded them
 * ({@code listed_operations.py}): of each some of its samples, forward and backward, what is taken and given back in order.
 * Workspaces that a process takes once are left out, and with them the cases that took one first.
 * Before forward, before backward, after it and when all is let go an empty tensor of a size that only that case has is made.
 */
class ListedOperationsTest {

    private static final long FIRST_MARKER = 3_000_000;
    private static final int PHASES = 4;

    /**
     * Some of their samples are told otherwise: what few programs call, what hangs on values (how many are chosen, whether a factor is zero, where LBFGS
     * ends), solvers' workspaces of some sizes, and windows and {@code pca_lowrank}, which Python 3.11, that recorded them here, lets go in another order than 3.12.
     */
    private static final Set<String> OTHERWISE = Set.of("""
            LBFGS SparseAdam __getitem__ _batch_norm_with_update _chunk_cat _segment_reduce.lengths
            _segment_reduce.offsets _unsafe_masked_index _unsafe_masked_index_put_accumulate all any cdist
            cholesky cholesky_inverse cholesky_solve corrcoef cov cumprod fft.fft fft.ifft fft.ihfft2 fft.ihfftn
            fft.rfft2 fft.rfftn isclose isin ldexp linalg.cholesky linalg.cholesky_ex linalg.cond
            linalg.det linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh linalg.householder_product linalg.inv
            linalg.inv_ex linalg.ldl_factor linalg.ldl_factor_ex linalg.ldl_solve linalg.lstsq
            linalg.lstsq.grad_oriented linalg.lu linalg.lu_factor linalg.lu_factor_ex linalg.lu_solve
            linalg.matrix_rank linalg.matrix_rank.hermitian linalg.multi_dot linalg.norm.subgradients_at_zero
            linalg.pinv linalg.pinv.hermitian linalg.pinv.singular linalg.qr linalg.slogdet linalg.solve
            linalg.solve_ex linalg.solve_triangular linalg.svd linalg.svdvals linalg.tensorinv linalg.tensorsolve
            linalg.vander logdet lu lu_solve lu_unpack masked.cumprod masked.median masked.std masked.var masked_fill
            masked_scatter masked_select matrix_exp mode nanquantile nn.CTCLoss nn.GRU nn.LSTM nn.RNN
            nn.functional.conv1d nn.functional.conv3d nn.functional.conv_transpose1d nn.functional.conv_transpose2d
            nn.functional.conv_transpose3d nn.functional.ctc_loss nn.functional.embedding_bag nn.functional.linear
            nn.functional.pdist nonzero_static norm.nuc normal normal.number_mean ormqr pca_lowrank pinverse prod qr
            quantile renorm signal.windows.blackman signal.windows.general_cosine signal.windows.general_hamming
            signal.windows.hamming signal.windows.hann signal.windows.nuttall square std_mean std_mean.unbiased svd
            svd_lowrank to_sparse triangular_solve var_mean var_mean.unbiased
            """.strip().split("\\s+"));

    @Test
    void eachTakesAndGivesBackWhatAnH100RecordedAndInThatOrder() throws IOException {
        ProgramTrace trace = ProgramTrace
                .read(ListedOperationsTest.class.getResourceAsStream("/plan/operations/listed.trace"));
        Map<Long, List<String>> told = sequences(Script.of(trace, DeviceProfile.find(trace.device()).orElseThrow()));
        Set<String> otherwise = new TreeSet<>();
        int cases = 0;
        try (BufferedReader recorded = new BufferedReader(new InputStreamReader(new GZIPInputStream(
                ListedOperationsTest.class.getResourceAsStream("/plan/operations/listed.events.gz"))))) {
            for (String line = recorded.readLine(); line != null; line = recorded.readLine()) {
                String[] parts = line.split("\t", -1); // number, name, forward, backward, release
                cases++;
                if (!Arrays.asList(parts).subList(2, parts.length).equals(told.get(Long.parseLong(parts[0])))) {
                    otherwise.add(parts[1]);
                }
            }
        }
        assertEquals(new TreeSet<>(OTHERWISE), otherwise, cases + " cases");
        assertTrue(cases > OTHERWISE.size());
    }

    /** By case what its phases take and give back: +SIZE, -N of its N-th taking, -x of what was there before. */
    private static Map<Long, List<String>> sequences(Script script) {
        Map<Long, List<String>> found = new HashMap<>();
        Map<Long, Integer> taken = new HashMap<>(); // negative: a marker, or of no bytes
        List<List<String>> phases = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        int phase = PHASES;
        int count = 0;
        for (int i = 0; i < script.length(); i++) {
            if (script.label(script.block(i)) != null) {
                continue;
            }
            long marked = script.takes(i) ? script.bytes(i) - FIRST_MARKER : 0;
            if (marked > 0 && marked % 2 == 1 && marked < FIRST_MARKER) {
                phase = (int) (marked % (2 * PHASES) / 2);
                taken.put(script.block(i), -1);
                if (phase == 0) {
                    phases.forEach(List::clear);
                    taken.values().removeIf(which -> which >= 0);
                    count = 0;
                } else if (phase == PHASES - 1) {
                    found.put(marked / (2 * PHASES), phases.stream().map(p -> String.join(" ", p)).toList());
                }
            } else if (script.takes(i) && phase < PHASES - 1) {
                taken.put(script.block(i), script.bytes(i) == 0 ? -1 : count);
                if (script.bytes(i) > 0) {
                    phases.get(phase).add("+" + script.bytes(i));
                    count++;
                }
            } else if (script.takes(i) && script.bytes(i) == 0) {
                taken.put(script.block(i), -1);
            } else if (script.kind(i) == Script.GIVE) {
                Integer which = taken.remove(script.block(i));
                if (phase < PHASES - 1 && (which == null || which >= 0)) {
                    phases.get(phase).add("-" + (which == null ? "x" : which));
                }
            }
        }
        return found;
    }
}
