package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sparse matrices in coordinates as graph networks use them; skipped where no PyTorch is at hand. */
class RecordedSparseTest extends RecordedScripts {

    /**
     * Values that are learnt have a gradient each; degrees are sums of rows, of which as many are left as rows have entries (3 of 5); a transpose, powers
     * and quotients keep the entries.
     */
    @Test
    @Tag("landing")
    void weightsOfEdgesAreLearntAndRowsSummed() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        places = torch.tensor([[0, 0, 1, 4], [1, 3, 2, 0]])
                        weights = torch.rand(4, device="cuda", requires_grad=True)
                        x = torch.randn(5, 3, device="cuda", requires_grad=True)
                        graph = lambda: torch.sparse_coo_tensor(places.cuda(), weights, (5, 5))
                        (torch.sparse.softmax(graph(), 1) @ x).sum().backward()
                        torch.sparse.mm(graph(), x).sum().backward()
                        print(tuple(weights.grad.shape), tuple(x.grad.shape))
                        fixed = torch.sparse_coo_tensor(places, torch.rand(4), (5, 5)).cuda().coalesce()
                        degrees = torch.sparse.sum(fixed, dim=1)
                        print(degrees._nnz(), tuple(degrees.to_dense().shape), tuple(fixed.sum(0).shape))
                        print(tuple((fixed.T @ x).shape), tuple(torch.mv(fixed, x[:, 0]).shape), (fixed / 2).pow(-1)._nnz())
                        """)
                .ok();
        assertEquals(List.of("(4,) (5, 3)", "3 (5,) (5,)", "(5, 3) (5,) 4"), ran.out().lines().toList());
    }
}
