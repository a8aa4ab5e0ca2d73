package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program reads from its tensors, and what is taken of what nobody knows; skipped where no PyTorch is at hand. */
class RecordedValuesTest extends RecordedScripts {

    /**
     * A router shares tokens out evenly, but for an odd number that tells experts apart: 3,000 to 16 are 188 and 1, 187 and 16 less, 188 and 3; a norm is
     * finite, so the step is taken; gradients of a bounded activation lie as what comes in.
     */
    @Test
    void whatValuesDecideIsTakenAsTheyMostlyAre() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        x = torch.zeros(1000, 16, device="cuda").normal_().requires_grad_()
                        weight, expert = x.softmax(-1).topk(3, dim=-1)
                        print([torch.where(expert == e)[0].numel() for e in (0, 15)], (expert == 16).nonzero().shape[0])
                        print((expert == 2).any(-1).nonzero().shape[0], x[x.argmax(-1) == 1].shape[0])
                        print(bool(torch.isfinite(x.norm())), bool(torch.isnan(x.norm())), bool(torch.isinf(x.norm())))
                        image = torch.zeros(2, 3, 4, 5, device="cuda", requires_grad=True)
                        turned = torch.zeros(5, 3, 4, 2, device="cuda").permute(3, 1, 2, 0)
                        print(torch.autograd.grad(torch.nn.functional.hardtanh(image), image, turned)[0].stride() == turned.stride())
                        """)
                .ok();
        assertEquals(List.of("[189, 171] 0", "191 63", "True False False", "True"),
                ran.out().lines().toList());
        assertEquals(List.of("[\"g\",0,16,3]", "[\"g\",15,16,3]", "[\"g\",2,16,3]"),
                lines(folder.resolve("step.trace")).stream().filter(line -> line.startsWith("[\"g\"")).toList());
    }

    /**
     * Of 4,096 numbers 1,024 lie above the three quarters, 2,048 up to the median, 410 below a tenth (its rank is 409.5); 100 are the hundred largest, a
     * thousand not above the thousandth, ten above the eleventh, and of each of 64 rows four above its fifth largest.
     */
    @Test
    @Tag("landing")
    void asManyLieBeyondAValueAsItsRankSays() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        x = torch.randn(4096, device="cuda").exp()
                        many = lambda mask: mask.nonzero().shape[0]
                        print(many(x > (x * 1.0).quantile(0.75)), many(x <= x.median()), many(x < x.quantile(0.1)), many(x > x.quantile(torch.tensor(0.5, device="cuda"))))
                        print(many(x >= x.topk(100).values[-1]), many(~(x > x.kthvalue(1000).values)), many(x > x.sort(descending=True)[0][10]))
                        rows = x.view(64, 64)
                        print(many(rows > rows.topk(5, dim=1).values[:, -1:]))
                        """)
                .ok();
        assertEquals(List.of("1024 2048 410 2048", "100 1000 10", "256"), ran.out().lines().toList());
    }

    /** Whether two tensors are equal that nobody knows is taken as true; of two shapes they never are (a kernel of Gaussian processes asks so for its diagonal). */
    @Test
    void tensorsOfTwoShapesAreNotEqual() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        x, y = torch.randn(64, 2, device="cuda"), torch.randn(8, 2, device="cuda")
                        print(torch.equal(x, y), torch.equal(x, y[:1]), torch.equal(x[:8], y))
                        """)
                .ok();
        assertEquals(List.of("False False True"), ran.out().lines().toList());
    }

    /** A program that tries again with more on the diagonal (gpytorch does), or gives up, finds each factorisation done: LAPACK's info is 0. */
    @Test
    @Tag("landing")
    void factorisationsOfUnknownMatricesGoWell() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        x = torch.randn(64, 64, device="cuda")
                        spread = x @ x.T
                        factor, info = torch.linalg.cholesky_ex(spread)
                        print(bool(torch.any(info)), int(info), bool((info > 0).any()))
                        print(bool(torch.any(torch.linalg.inv_ex(spread)[1])), torch.linalg.lu_factor_ex(spread.expand(3, 64, 64))[2].tolist())
                        torch.linalg.cholesky_ex(spread, out=(factor, info))
                        print(bool(info))
                        """)
                .ok();
        assertEquals(List.of("False 0 False", "False [0, 0, 0]", "False"), ran.out().lines().toList());
    }

    /** Of 91 labels those from 1 on are left, by a mask that nobody knows: 90 different ones, each 600 of 54,000 times, whatever the numbers are. */
    @Test
    @Tag("landing")
    void eachOfTheDifferentValuesThatThereAreIsMetEquallyOften() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        scores = torch.randn(600, 90, device="cuda").exp().reshape(-1)
                        labels = torch.arange(91, device="cuda").view(1, -1).expand(600, 91)[:, 1:].reshape(-1)
                        labels = labels[torch.where(scores > float(scores.mean()) - 9)[0]]
                        different = torch.unique(labels)
                        print(different.shape[0], [torch.where(labels == c)[0].numel() for c in different][::45], labels.numel())
                        """)
                .ok();
        assertEquals(List.of("90 [600, 600] 54000"), ran.out().lines().toList());
    }

    /**
     * Classes of 1 to 7 are none of them 0 or 9; where 0 is written in places that nobody knows, all 50 may be 0 and all 50 may not. Writing 3, which is
     * drawn too, brings no 9.
     */
    @Test
    void whatIsWrittenOverDrawnClassesIsAmongThem() throws Exception {
        Commands.Ran ran = record("""
                import torch
                scores = torch.linalg.eigvalsh(torch.rand(50, 50, device="cuda"))
                drawn = torch.randint(1, 8, (100,)).cuda()
                def found(value, looked):
                    classes = drawn[scores.argsort()]
                    classes[scores > 0.5] = value
                    return torch.where(classes == looked)[0].numel()
                print(found(3, 9), found(0, 0), found(0, 9) >= 0)
                filled = drawn[scores.argsort()].masked_fill_(scores > 0.5, 0)
                print(torch.where(filled >= 1)[0].numel(), torch.where(filled == 0)[0].numel())
                """).ok();
        assertEquals(List.of("0 50 True", "50 50"), ran.out().lines().toList());
    }

    /** As Whisper looks for time stamps among the tokens it generated: of 1,000 scores the largest is none of number 1,001, however tokens are masked, joined and written. */
    @Test
    void tokensThatAreChosenByScoresLieBelowTheNumberOfScores() throws Exception {
        String script = """
                import torch
                scores = torch.randn(4, 1000, device="cuda")
                alive = torch.ones(4, dtype=torch.long, device="cuda")
                tokens = torch.zeros(4, 2, dtype=torch.long, device="cuda")
                beams = torch.zeros(4, 12, dtype=torch.long, device="cuda")
                for i in range(3):
                    next = torch.multinomial(scores.softmax(-1), 1).squeeze(1) if i % 2 else scores.argmax(-1)
                    next = next * alive + 7 * (1 - alive)
                    tokens = torch.cat([tokens, next[:, None]], -1)
                    alive = alive & ~torch.isin(tokens[:, -1], torch.tensor([3], device="cuda"))
                    beams[:, i] = scores.view(-1).topk(4).indices % 1000
                for t in (tokens, beams):
                    print(len(t.ge(1001).nonzero()), len((t < 1000).nonzero()), len((t < 999).nonzero()))
                """;
        assertEquals(List.of("0 20 20", "0 48 48"), record(script).ok().out().lines().toList());
    }

    /** Nothing that is no number is found, where a program looks for it itself and where PyTorch's functions check what they are given. */
    @Test
    void whatIsNoNumberIsNotFound() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        x = torch.zeros(50, 4, device="cuda")
                        print(bool(torch.isnan(x).any()), bool((x.isnan() | x.isinf()).any()), int(x.isnan().sum()), x[x.isnan()].shape[0], x[~x.isnan().any(1)].shape[0])
                        print(torch.nn.functional.gaussian_nll_loss(x, x + 1, torch.ones_like(x)).dim())
                        """)
                .ok();
        assertEquals(List.of("False False 0 0 50", "0"), ran.out().lines().toList());
    }

    /**
     * A loop whose end nothing known brings goes round eight times: whether it ends is asked of a tensor, of a number that was kept, through a function, by a direction. One that counts
     * its rounds goes on to the last of them, and each call of a function begins anew.
     */
    @Test
    @Tag("landing")
    void loopsEndThatUnknownValuesEnd() throws Exception {
        Commands.Ran ran = record("""
                import torch
                def unknown(): return torch.zeros(4, device="cuda").normal_() @ torch.zeros(4, device="cuda").normal_()
                def small(x): return x.abs().item() < 1e-4
                def by_tensor():
                    rounds = 0
                    while unknown() > 1e-3: rounds += 1
                    return rounds
                def by_number():
                    rounds, error = 0, 1.0
                    while error > 1e-3:
                        error = unknown().item()
                        rounds += 1
                    return rounds
                def by_break():
                    rounds = 0
                    while True:
                        rounds += 1
                        if not (unknown() > 0).any(): return rounds
                def by_function():
                    rounds = 0
                    while not small(unknown()): rounds += 1
                    return rounds
                def by_count():
                    rounds = 0
                    while rounds < 20 and unknown() > 0: rounds += 1
                    return rounds
                def by_mask():
                    rounds, mask = 0, torch.zeros(16, device="cuda").normal_() > 0
                    while mask.sum().item() > 0: rounds += 1
                    return rounds
                for loop in by_tensor, by_number, by_break, by_function, by_count, by_mask:
                    print(loop(), loop())
                """).ok();
        assertEquals(List.of("8 8", "9 9", "9 9", "8 8", "20 20", "8 8"), ran.out().lines().toList());
        assertTrue(trace().contains("how often a loop goes round is not known without a GPU; taken as 8 times"));
    }

    /** One element of zeros that is written is one that is not zero, also where it is written through a view of it alone. */
    @Test
    @Tag("landing")
    void whatIsWrittenToOneElementIsKnown() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        mask = torch.zeros(2, 3, dtype=torch.bool, device="cuda")
                        for row in range(2):
                            mask[row, :1] = 1
                        print(tuple(mask.nonzero().shape), mask.sum().item())
                        """)
                .ok();
        assertEquals(List.of("(2, 2) 2"), ran.out().lines().toList());
    }
}
