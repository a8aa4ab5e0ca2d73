package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Derivatives of derivatives, by functorch and by autograd, recorded as a GPU runs them; skipped where no PyTorch is at hand. */
class RecordedDerivativesTest extends RecordedScripts {

    /**
     * A Laplacian, forward over reverse: what is multiplied by a constant has tangents that are zeros without memory. Where such a
     * zero is added, 4 bytes are made of it, and the other side is copied; it is never an operand.
     */
    @Test
    void zerosThatAreNeverWrittenTakeOneNumberWhereTheyAreAdded() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        from torch.func import functional_call, grad, jvp, vmap
                        net = torch.nn.Linear(3, 50, device="cuda")
                        weights, x, basis = dict(net.named_parameters()), torch.randn(100, 3, device="cuda"), torch.eye(3, device="cuda")
                        slope = grad(lambda p, x: torch.sin(15.0 * functional_call(net, p, (x,))).sum(), argnums=1)
                        def laplacian(p, x):
                            return vmap(lambda v: torch.dot(jvp(lambda y: slope(p, y), (x,), (v,))[1], v))(basis).sum()
                        print(tuple(vmap(laplacian, (None, 0))(weights, x).shape))
                        """)
                .ok();
        assertEquals("(100,)", ran.out().strip());
        List<String> lines = lines(folder.resolve("step.trace"));
        // a bias that a level wraps is added out of place (Linear.cpp): 100 x 50 numbers, and 100 x 3 x 50 of its tangent
        assertTrue(calls(lines, "aten.add.Tensor").stream().anyMatch(line -> line.contains(",20000]]")));
        assertTrue(calls(lines, "aten.add_.Tensor").isEmpty());
        assertTrue(
                calls(lines, "aten._to_copy.default").stream().filter(line -> line.contains(",60000]]")).count() >= 2);
        assertTrue(calls(lines, "aten.zeros.default").stream().filter(line -> line.contains(",4]]")).count() >= 2);
    }

    /** Backward has a thread of its own, under vmap and grad too: the nodes that it makes are numbered from there, and run in that order. */
    @Test
    void levelsOfFunctorchGoAlongWithBackward() throws Exception {
        Commands.Ran ran = record("""
                import torch
                from torch.func import grad, vmap
                w, x = torch.randn(8, 4, device="cuda", requires_grad=True), torch.randn(5, 8, device="cuda")
                y = w
                for _ in range(50):
                    y = y * 2
                g = vmap(grad(lambda w, x: (x @ w).pow(3).sum()), (None, 0))(w, x)
                print(g.grad_fn._sequence_nr() < y.grad_fn._sequence_nr())
                g.sum().backward()
                print(tuple(w.grad.shape))
                """).ok();
        assertEquals(List.of("True", "(8, 4)"), ran.out().lines().toList());
    }

    /** Numbers of nodes repeat in another thread; what the engine adds is the engine's all the same, and added in place. */
    @Test
    @Tag("landing")
    void gradientsThatMeetAreAddedByTheEngineWhateverTheNumberOfTheirNodes() throws Exception {
        record("""
                import torch
                a = torch.nn.Parameter(torch.tensor(0.2, device="cuda"))
                x = torch.randn(64, 16, device="cuda", requires_grad=True)
                layers = [torch.nn.Linear(16, 16, device="cuda") for _ in range(6)]
                y = x
                for layer in layers:
                    y = torch.tanh(5.0 * a * layer(y))
                g, = torch.autograd.grad(y.sum(), x, create_graph=True)
                h, = torch.autograd.grad(g.sum(), x, create_graph=True)
                (y.pow(2).mean() + h.pow(2).mean()).backward()
                """).ok();
        List<String> sums = calls(lines(folder.resolve("step.trace")), "aten.add.Tensor");
        assertTrue(sums.stream().anyMatch(line -> line.endsWith(",\"\"]")), sums.toString());
        assertTrue(sums.stream().noneMatch(line -> line.endsWith(",\"MulBackward0\"]")), sums.toString());
    }

    /** Lightning does so where a run ends. */
    @Test
    void clearedWorkspacesAreTold() throws Exception {
        record("""
                import torch
                x = torch.randn(8, 8, device="cuda")
                x @ x
                torch._C._cuda_clearCublasWorkspaces()
                x @ x
                """).ok();
        assertEquals(1, lines(folder.resolve("step.trace")).stream()
                .filter(line -> line.startsWith("[\"m\",\"clear_cublas\"")).count());
    }

    private static List<String> calls(List<String> lines, String operation) {
        String kind = lines.stream().filter(line -> line.startsWith("[\"O\"") && line.contains("\"" + operation + "\""))
                .map(line -> line.split(",")[1]).findFirst().orElse("none");
        return lines.stream().filter(line -> line.startsWith("[\"o\"," + kind + ",")).toList();
    }
}
