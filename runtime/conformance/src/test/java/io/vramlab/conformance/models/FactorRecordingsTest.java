package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** torch.linalg as recorded on an H200 (oracle/models/factors.py and sparse.py), in the spelling of factors.txt and sparse.txt. */
class FactorRecordingsTest {

    /**
     * Expressions that differ from the recording in some mode: one that begins to agree must leave the list. A norm of order 0
     * is made of magnitudes here, sizes between the table's are estimates, and some copies of batched products are not made.
     */
    private static final Set<String> DIFFER_IN_MEMORY = new TreeSet<>(Set.of(
            "(lambda u, s, v: (u * s.unsqueeze(-2)) @ v)(*L.svd(a, full_matrices=False))",
            "(lambda w, v: (v * w.unsqueeze(-2)) @ v.mT)(*L.eigh(a))",
            "L.eigh(a)",
            "L.eigh(a)[1]",
            "L.eigvalsh(a)",
            "L.multi_dot([a, b, c, d])",
            "L.multi_dot([a[0], b, c, d[:, 0]])",
            "L.norm(a, 0)",
            "L.matrix_rank(a, hermitian=True)",
            "L.pinv(a, hermitian=True)",
            "L.qr(a, \"complete\")",
            "L.solve(a, b[..., 0])",
            "L.svd(a)",
            "L.svd(a, full_matrices=False)",
            "L.vander(a)",
            "L.vander(a, N=3)",
            "L.vander(a, N=5)",
            "L.vector_norm(a, 0)"));
    /**
     * Signs of vectors are each library's own; and the matrices of numbers in a row are nearly singular, so that what belongs to the
     * singular value 0 is rounding. LinalgTest multiplies the factors and measures the slopes of others.
     */
    private static final Set<String> DIFFER_IN_VALUES = new TreeSet<>(Set.of(
            "(lambda q, r: q @ r)(*L.qr(a))",
            "L.cross(a, b)",
            "L.cross(a, b, dim=1)",
            "L.cross(a, b[:1])",
            "L.eigh(a)",
            "L.eigh(a)[1]",
            "L.lstsq(a, b)[0]",
            "L.lu(a)",
            "L.matrix_norm(a, \"nuc\")",
            "L.matrix_norm(a, -2)",
            "L.pinv(a)",
            "L.pinv(a, hermitian=True)",
            "L.qr(a)",
            "L.qr(a)[0]",
            "L.qr(a)[1]",
            "L.qr(a, \"complete\")",
            "L.qr(a, \"r\")[1]",
            "L.svd(a)",
            "L.svd(a, full_matrices=False)",
            "L.svd(a, full_matrices=False)[1]",
            "L.svdvals(a)"));

    @Test
    @Tag("long")
    void factorsAndSolutionsTakeWhatPyTorchTakes() throws Exception {
        try (RecordedExpressions all = new RecordedExpressions().compare("factors").compare("sparse")) {
            assertEquals(DIFFER_IN_MEMORY, all.memory(), all.told());
            assertEquals(DIFFER_IN_VALUES, all.values(), all.told());
            assertTrue(all.compared() > 1547, "rows compared: " + all.compared());
        }
    }
}
