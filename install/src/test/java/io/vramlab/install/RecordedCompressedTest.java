package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sparse tensors by rows and by columns; skipped where no PyTorch is at hand. */
class RecordedCompressedTest extends RecordedScripts {

    @Test
    @Tag("landing")
    void compressedTensorsAreFollowedThroughProductsCopiesAndConversions() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        places = torch.tensor([[0, 0, 1, 4], [1, 3, 2, 0]])
                        a = torch.sparse_coo_tensor(places, torch.rand(4), (5, 4)).cuda().coalesce().to_sparse_csr()
                        x = torch.randn(4, 3, device="cuda", requires_grad=True)
                        (a @ x).sum().backward()
                        print(a.layout, a._nnz(), a.crow_indices().shape[0], a.values().shape[0], tuple(x.grad.shape))
                        begins, columns = torch.tensor([0, 2, 4]), torch.tensor([0, 1, 0, 1])
                        b = torch.sparse_csr_tensor(begins, columns, torch.rand(4), (2, 2), device="cuda")
                        y = torch.randn(2, 3, device="cuda")
                        print((b @ y[:, 0]).shape[0], tuple(torch.sparse.mm(b, y).shape), tuple(torch.addmm(y, b, y).shape), b.t().layout)
                        print((b * 2).layout, b.to(torch.float16).dtype, b.to_sparse_coo().layout, b.to_dense().layout)
                        print(torch.sparse_csr_tensor(begins, columns, torch.rand(4), (2, 2)).cuda().device)
                        """)
                .ok();
        assertEquals(List.of("torch.sparse_csr 4 6 4 (4, 3)", "2 (2, 3) (2, 3) torch.sparse_csc",
                "torch.sparse_csr torch.float16 torch.sparse_coo torch.strided", "cuda:0"),
                ran.out().lines().toList());
    }

    /**
     * Of 1,000 by 1,000 with 4 entries: rows begin at 1,001 places of 8 bytes; a product with 64 columns are zeros of 256,000 bytes, and as
     * many again for the sum, after which the zeros go.
     */
    @Test
    void aProductIsMadeBesideItsZeros() throws Exception {
        record("""
                import torch
                places = torch.tensor([[0, 0, 1, 4], [1, 3, 2, 0]])
                a = torch.sparse_coo_tensor(places, torch.rand(4), (1000, 1000)).cuda().coalesce().to_sparse_csr()
                y = a @ torch.ones(1000, 64, device="cuda")
                """).ok();
        String sizes = String.join(" ",
                trace().lines().filter(line -> line.startsWith("[\"o\"") && !line.contains(",[],\""))
                        .map(line -> line.replaceFirst(".*,\\[\\[\\d+,(\\d+)\\]\\],\"\"\\]$", "$1"))
                        .filter(size -> size.matches("\\d+"))
                        .toList());
        assertTrue(sizes.endsWith("8008 256000 256000 256000"), sizes);
    }

    @Test
    void whatIsNotFollowedIsToldWithWhatIsInstead() throws Exception {
        String[][] refused = {{"torch.quantize_per_tensor(x, 0.1, 0, torch.qint8)", "fake_quantize_per_tensor_affine"},
                {"torch.nested.nested_tensor([x, x])", "layout=torch.jagged"},
                {"torch.sparse_csr_tensor(torch.tensor([0, 1]), torch.tensor([0]), torch.rand(1), (1, 4), device='cuda').sin()",
                        "sparse_coo_tensor"}};
        for (String[] each : refused) {
            Commands.Ran ran = record("import torch\nx = torch.randn(4, 4, device='cuda')\n" + each[0] + "\n");
            assertTrue(ran.status() != 0 && ran.err().contains("train.py:3") && ran.err().contains(each[1]), ran.err());
        }
    }
}
