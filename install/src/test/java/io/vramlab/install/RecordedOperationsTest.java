package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Operations that fake tensors lay or make otherwise than a GPU does, or not at all; skipped where no PyTorch is at hand. */
class RecordedOperationsTest extends RecordedScripts {

    /** Two sequences of 3 and 5 rows of 8 numbers are 8 rows in one tensor, and three offsets of 8 bytes. */
    @Test
    @Tag("landing")
    void jaggedTensorsAreTheirValuesAndOffsets() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        rows = [torch.randn(n, 8, device="cuda", dtype=torch.bfloat16) for n in (3, 5)]
                        before = torch.cuda.memory_allocated()
                        x = torch.nested.nested_tensor(rows, layout=torch.jagged)
                        print(torch.cuda.memory_allocated() - before)
                        qkv = torch.nn.Linear(8, 24, device="cuda", dtype=torch.bfloat16)
                        q, k, v = (t.unflatten(-1, [1, 8]).transpose(1, 2) for t in qkv(x).chunk(3, -1))
                        y = torch.nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(-2)
                        y.values().float().sum().backward()
                        print(tuple(y.values().shape), tuple(qkv.weight.grad.shape))
                        """)
                .ok();
        assertEquals(List.of(8 * 8 * 2 + 3 * 8 + "", "(8, 8) (24, 8)"), ran.out().lines().toList());
        assertTrue(lines(folder.resolve("step.trace")).stream()
                .anyMatch(line -> line.contains("aten._flash_attention_backward")));
    }

    /**
     * What looks at a model to export it holds none of its activations: nothing beside the parameters (64 x 64 + 64 numbers of 4 bytes), and a run of the
     * exported one takes its result, 2 x 64 x 4 bytes.
     */
    @Test
    @Tag("landing")
    void exportingAModelTakesNothing() throws Exception {
        Commands.Ran ran = record("""
                import torch
                net, x = torch.nn.Linear(64, 64).cuda(), torch.randn(2, 64, device="cuda")
                before = torch.cuda.memory_allocated()
                exported = torch.export.export(net, (x,)).module()
                torch.cuda.synchronize()
                print(torch.cuda.max_memory_allocated() - before)
                with torch.no_grad():
                    y = exported(x)
                print(y.shape == (2, 64))
                """).ok();
        assertEquals(List.of("0", "True"), ran.out().lines().toList());
    }

    /** Hooks that pack what a product keeps for backward run inside of it, where the bias is added in place; their own sums have numbers in them. */
    @Test
    void hooksThatPackWhatAProductKeepsMayAddNumbers() throws Exception {
        record("""
                import torch
                layer, x = torch.nn.Linear(8, 8).cuda(), torch.randn(2, 6, 8, device="cuda", requires_grad=True)
                def pack(t):
                    scale = t.detach().abs().amax() / 448 + 1e-12
                    return (t.detach() / scale).to(torch.float8_e4m3fn), scale
                with torch.autograd.graph.saved_tensors_hooks(pack, lambda p: p[0].float() * p[1]):
                    y = layer(x.transpose(0, 1))
                y.sum().backward()
                """).ok();
    }

    /**
     * 64 tokens of two heads of 8: beside the mask of numbers (64 x 64 x 4) three parts (3 x 64 x 16 x 4), scores and their softmax (2 x 64 x 64 x 4 each) and the
     * mask as bytes for each head (2 x 64 x 64) are there at once; left are 64 x 16 x 4, and 64 x 64 x 4 of weights where they are asked for.
     */
    @Test
    void attentionInInferenceWithAMaskIsProducts() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        attention = torch.nn.MultiheadAttention(16, 2, batch_first=True, device="cuda").eval()
                        x, mask = torch.randn(1, 64, 16, device="cuda"), torch.ones(64, 64, dtype=torch.bool, device="cuda").triu(1)
                        for weights in (False, True):
                            before = torch.cuda.memory_allocated()
                            torch.cuda.reset_peak_memory_stats()
                            with torch.no_grad():
                                y = attention(x, x, x, attn_mask=mask, need_weights=weights)
                            print(torch.cuda.max_memory_allocated() - before, torch.cuda.memory_allocated() - before)
                            del y
                        """)
                .ok();
        assertEquals(List.of("102400 4096", "102400 20480"), ran.out().lines().toList());
        assertFalse(lines(folder.resolve("step.trace")).stream()
                .anyMatch(line -> line.contains("aten._native_multi_head_attention")));
    }

    /** A layer's eight gradients are parts of one storage: of the second call's sums seven are new, and the last is in place, as nobody else holds the storage by then. */
    @Test
    void theLastPartOfAStorageIsAddedToInPlace() throws Exception {
        record("""
                import torch
                lstm, x = torch.nn.LSTM(4, 8, 2, device="cuda"), torch.randn(3, 2, 4, device="cuda")
                y, state = lstm(x)
                lstm(y[..., :4], state)[0].sum().backward()
                """).ok();
        List<String> lines = lines(folder.resolve("step.trace"));
        String kind = lines.stream().filter(line -> line.endsWith("\"aten.add.Tensor\"]")).findFirst().orElseThrow()
                .split(",")[1];
        List<String> sums = lines.stream().filter(line -> line.startsWith("[\"o\"," + kind + ",")).toList();
        assertEquals(7, sums.stream().filter(line -> line.endsWith(",\"CudnnRnnBackward0\"]")).count());
        assertTrue(sums.getLast().endsWith(",\"\"]"), sums.toString());
    }

    /**
     * Of 1,024 numbers a gradient is 4,096 bytes, written in place where something is chosen of them; of their product it is a quotient and a product, as large each,
     * and of a greatest in a row so far as it is chosen. Of targets it is two, beside one for the scores.
     */
    @Test
    @Tag("landing")
    void formulasWriteInPlaceWhereTheyDoWithPlainTensors() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        places = torch.arange(1024, device="cuda")
                        targets = torch.zeros(1024, device="cuda", requires_grad=True)
                        crossed = torch.nn.functional.binary_cross_entropy

                        def takes(call):
                            x = torch.full((1024,), 0.5, device="cuda", requires_grad=True)
                            y = call(x)
                            gradient = torch.ones_like(y)
                            before = torch.cuda.memory_allocated()
                            torch.cuda.reset_peak_memory_stats()
                            y.backward(gradient)
                            return torch.cuda.max_memory_allocated() - before

                        mask = torch.ones(1024, dtype=torch.bool, device="cuda")
                        for call in (lambda x: x.masked_select(mask), lambda x: x.take(places), lambda x: x.cummax(0)[0], lambda x: x.prod(),
                                     lambda x: crossed(x, targets, reduction="none")):
                            print(takes(call))
                        """)
                .ok();
        assertEquals(List.of("4096", "4096", "4096", "8192", "8192"), ran.out().lines().toList());
    }

    /** 8 x 8 weights of 4 bytes and 8 biases; the layer that was made before is moved, its copy too, and both stay the same objects. */
    @Test
    void aModelMadeBeforeTheRecordingIsMovedAndCopied() throws Exception {
        Path file = Files.writeString(folder.resolve("own.py"),
                """
                        import copy, sys, torch
                        layer, rate = torch.nn.Linear(8, 8), torch.tensor(0.1)
                        weight = layer.weight
                        import vramlab_trace
                        with vramlab_trace.record(sys.argv[1], device="H200"):
                            other = copy.deepcopy(layer).cuda()
                            layer.cuda()
                            print(torch.cuda.memory_allocated(), layer.weight is weight, float(copy.deepcopy(rate)) == float(rate))
                            optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
                            layer(other(torch.ones(2, 8, device="cuda"))).sum().backward()
                            optimizer.step()
                        """);
        Commands.Ran ran = Commands.run(Map.of("PYTHONPATH", Checkout.file("install").toString()),
                List.of(python, file.toString(), folder.resolve("step.trace").toString())).ok();
        assertEquals(List.of("576 True True"), ran.out().lines().toList());
    }

    /** Of a layer of 16 bits that waits for its shape weights are 3 x 5 and biases 3 numbers of 2 bytes. */
    @Test
    void whatWaitsForItsShapeIsConvertedToo() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        layer, x = torch.nn.LazyLinear(3, device="cuda").to(torch.bfloat16), torch.ones(2, 5, device="cuda", dtype=torch.bfloat16)
                        before = torch.cuda.memory_allocated()
                        y = layer(x)
                        print(torch.cuda.memory_allocated() - before - y.nbytes, y.dtype)
                        """)
                .ok();
        assertEquals(List.of("36 torch.bfloat16"), ran.out().lines().toList());
    }

    /**
     * Weights of 24 x 4 and 24 x 8 numbers of 16 bits, 576 bytes, lie by themselves: forward puts them into a buffer with room for two biases of 24, 672 bytes,
     * which stays until backward, beside zeros for the first state (32), the output (96) and the last state (32).
     */
    @Test
    void recurrentWeightsOfBfloat16AreBroughtTogetherInEachForward() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        gru = torch.nn.GRU(4, 8, bias=False, device="cuda", dtype=torch.bfloat16)
                        weights, x = torch.cuda.memory_allocated(), torch.ones(3, 2, 4, device="cuda", dtype=torch.bfloat16)
                        before = torch.cuda.memory_allocated()
                        y, h = gru(x)
                        print(weights, torch.cuda.memory_allocated() - before)
                        """)
                .ok();
        assertEquals(List.of("576 832"), ran.out().lines().toList());
    }

    /**
     * Under autocast weights are copied into one buffer of float16: 32 x 4 + 32 x 8 + 2 x 32 of an LSTM's, 896 bytes. Without biases the buffer has room for them: 8 x 4 + 8 x 8 + 2 x 8 of
     * an RNN's, 448 bytes of float32.
     */
    @Test
    @Tag("landing")
    void recurrentLayersComputeInHalvesUnderAutocastAndHaveRoomForBiases() throws Exception {
        Commands.Ran ran = record("""
                import torch
                lstm, x = torch.nn.LSTM(4, 8).cuda(), torch.randn(3, 2, 4, device="cuda")
                for dtype in torch.bfloat16, torch.float16:
                    with torch.autocast("cuda", dtype):
                        y = lstm(x)[0]
                    y.sum().backward()
                    lstm.zero_grad(set_to_none=False)
                    print(y.dtype, lstm.weight_hh_l0.grad.dtype, torch.cuda.memory_allocated())
                rnn = torch.nn.RNN(4, 8, bias=False).cuda()
                print(rnn.weight_ih_l0.untyped_storage().nbytes())
                """).ok();
        assertEquals(List.of("torch.float16 torch.float32 3776", "torch.float16 torch.float32 3776", "448"),
                ran.out().lines().toList(),
                "the buffer goes with backward: weights and gradients of 1,792 bytes, 96 of the input, 96 of the output");
        assertEquals(4, lines(folder.resolve("step.trace")).stream().filter(line -> line.contains(",896]]")).count(),
                "two buffers of weights, two of their gradients");
    }

    /**
     * A view that is written to is seen through its base: back through it a GPU lays the gradient of 128 bytes into zeros and copies nothing for the views between (as_strided_backward).
     */
    @Test
    void backThroughAViewThatWasWrittenToNothingIsCopiedForTheViewsBetween() throws Exception {
        record("""
                import torch
                x = torch.randn(4, 8, device="cuda", requires_grad=True)
                base = x * 2
                view = base.view(2, 2, 8).transpose(1, 0)
                view += 1
                view.softmax(-1).pow(2).sum().backward()
                """).ok();
        List<String> back = lines(folder.resolve("step.trace")).stream().filter(line -> line.startsWith("[\"o\","))
                .toList();
        assertEquals(1, back.stream().filter(line -> line.endsWith(",128]],\"AsStridedBackward0\"]")).count());
        assertEquals(0,
                back.stream().filter(line -> line.contains("contiguous_format") && line.endsWith("\"ViewBackward0\"]"))
                        .count());
    }

    /** Of a matrix of 64 x 32 the values alone are 32 numbers; a pseudo-inverse is told by its parts. */
    @Test
    void whoWantsSingularValuesAloneIsNotGivenVectors() throws Exception {
        record("""
                import torch
                x = torch.randn(64, 32, device="cuda")
                s = torch.linalg.svdvals(x)
                u, s, v = torch.linalg.svd(x, full_matrices=False)
                p = torch.linalg.pinv(x)
                """).ok();
        List<String> lines = lines(folder.resolve("step.trace"));
        String kind = lines.stream().filter(line -> line.contains("aten._linalg_svd")).findFirst().orElseThrow()
                .split(",")[1];
        List<String> calls = lines.stream().filter(line -> line.startsWith("[\"o\"," + kind + ",")).toList();
        assertEquals(3, calls.size());
        assertTrue(calls.get(0).contains(",false,false]") && calls.get(0).contains(",128]"), calls.get(0));
        assertFalse(calls.get(0).contains(",8192]"), calls.get(0)); // 64 x 32 numbers of 4 bytes
        assertTrue(calls.get(1).contains(",8192]") && calls.get(2).contains(",8192]"), calls.toString());
        assertFalse(lines.stream().anyMatch(line -> line.contains("aten.linalg_pinv")));
    }

    /** In inference mode too: a sum of Einstein's by the product in it, what is magnified by its kernel; what autocast casts itself is cast no further. */
    @Test
    void autocastCastsInsideOfWhatIsComposed() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        x, half = torch.randn(2, 4, 8, 8, device="cuda"), torch.zeros(2, 4, 8, 8, device="cuda", dtype=torch.float16)
                        with torch.inference_mode(), torch.autocast("cuda", dtype=torch.float16):
                            print(torch.einsum("bchw,bcxw->bhx", x, x).dtype, torch.nn.functional.interpolate(half, scale_factor=2).dtype)
                            print(torch.nn.functional.binary_cross_entropy_with_logits(half, half).dtype)
                            with torch.autocast("cuda", enabled=False):
                                print(torch.einsum("bchw,bcxw->bhx", x, x).dtype)
                        """)
                .ok();
        assertEquals(List.of("torch.float16 torch.float32", "torch.float32", "torch.float32"),
                ran.out().lines().toList());
    }

    /** A storage that is let go in place and taken again, as sharded models do with what they gathered. */
    @Test
    void aStorageThatIsResizedIsToldAtOnce() throws Exception {
        record("""
                import torch
                x = torch.zeros(256, device="cuda")
                x.untyped_storage().resize_(0)
                x.untyped_storage().resize_(1024)
                """).ok();
        assertEquals(List.of("0]", "1024]"), lines(folder.resolve("step.trace")).stream()
                .filter(line -> line.startsWith("[\"r\"")).map(line -> line.split(",")[2]).toList());
    }

    /** How many plans cuDNN tries, whether their sums have one order, whether TF32 counts: told where it changes. */
    @Test
    void theSettingsOfCudnnAreToldBeforeItsConvolutions() throws Exception {
        record("""
                import torch
                net, x = torch.nn.Conv2d(3, 8, 3).cuda(), torch.randn(2, 3, 16, 16, device="cuda")
                net(x)
                torch.backends.cudnn.benchmark = True
                net(x)
                torch.backends.cudnn.deterministic = True
                net(x), net(x)
                torch.backends.cudnn.benchmark = False
                torch.backends.cudnn.allow_tf32 = False
                net(x)
                """).ok();
        assertEquals(List.of("[\"c\",10,false,true]", "[\"c\",10,true,true]", "[\"c\",0,true,false]"),
                lines(folder.resolve("step.trace")).stream().filter(line -> line.startsWith("[\"c\"")).toList());
    }

    @Test
    void gradientsOfEachSampleAreRecorded() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        from torch.func import grad, vmap
                        loss = lambda w, x, y: torch.nn.functional.cross_entropy((x @ w)[None], y[None])
                        w, x, y = torch.randn(64, 10, device="cuda"), torch.randn(32, 64, device="cuda"), torch.randint(0, 10, (32,), device="cuda")
                        print(tuple(vmap(grad(loss), (None, 0, 0))(w, x, y).shape))
                        """)
                .ok();
        assertTrue(ran.out().contains("(32, 64, 10)"), ran.out());
    }

    /** Rows by indices of the host, a sampled grid, numbers made of the device's, and a captured step. */
    @Test
    void whatHasNoFakeFormIsRecordedAsTheGpuDoesIt() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        x = torch.randn(4, 9, device="cuda", requires_grad=True)
                        x[torch.arange(4), x.argmax(1)].sum().backward()
                        print(torch.tensor([x.sum(), x.max()], device="cuda").shape[0])
                        image, grid = torch.randn(2, 3, 8, 8, device="cuda", requires_grad=True), torch.rand(2, 5, 6, 2, device="cuda")
                        out = torch.nn.functional.grid_sample(image, grid, align_corners=True)
                        out.sum().backward()
                        print(tuple(out.shape), tuple(image.grad.shape))
                        graph = torch.cuda.CUDAGraph()
                        with torch.cuda.graph(graph):
                            y = x.detach() * 2
                        graph.replay()
                        print(y.numel())
                        """)
                .ok();
        assertEquals(List.of("2", "(2, 3, 5, 6) (2, 3, 8, 8)", "36"), ran.out().lines().toList());
    }

    /** Both graphs are captured on the first stream of the pool, which also has what their random numbers are counted by: their pools are 64 and 65, for which stream 1 works. */
    @Test
    void ofAGraphTheRecordingTellsOnWhichStreamItIsCaptured() throws Exception {
        record("""
                import torch
                for _ in range(2):
                    graph = torch.cuda.CUDAGraph()
                    with torch.cuda.graph(graph):
                        torch.ones(4, device="cuda") * 2
                torch.ones(4, device="cuda")
                """).ok();
        assertEquals(List.of("[\"s\",1]", "[\"s\",64,1]", "[\"s\",65,1]", "[\"s\",0]"),
                trace().lines().filter(line -> line.startsWith("[\"s\"")).toList());
    }

    /** As torch/cuda/memory.py has them. */
    @Test
    void aProgramThatLimitsItselfToMoreThanTheDeviceEndsAsOnAGpu() throws Exception {
        assertEquals(List.of("Invalid fraction value: 1.5. Allowed range: 0~1",
                "Invalid type for fraction argument, must be `float`"), record("""
                        import torch
                        for fraction, error in (1.5, ValueError), (1, TypeError):
                            try:
                                torch.cuda.set_per_process_memory_fraction(fraction=fraction)
                            except error as told:
                                print(told)
                        torch.cuda.set_per_process_memory_fraction(0.5, 0)
                        """).ok().out().lines().toList());
    }

    /** Whose check of the windows' sum is one of the values that an operation asks for: 4,000 of 62 x 64 + 256 less half a window at either end. */
    @Test
    void soundIsMadeOfItsSpectrogram() throws Exception {
        assertEquals("(2, 4000) (2, 3968)", record("""
                import torch
                window = torch.hann_window(256, device="cuda")
                sound = torch.randn(2, 4000, device="cuda", requires_grad=True)
                seen = torch.stft(sound, 256, 64, window=window, return_complex=True)
                made = torch.istft(seen, 256, 64, window=window, length=4000)
                (made - sound).square().mean().backward()
                print(tuple(made.shape), tuple(torch.istft(seen, 256, 64, window=window).shape))
                """).ok().out().trim());
    }

    /** Kernels that a program writes in Triton: 8,000 bytes are its two tensors; trying two configurations clears the cache by way of 268,435,456 bytes. */
    @Test
    void kernelsWrittenInTritonTakeNothingUnlessTheyAreTried() throws Exception {
        assertEquals(List.of("8000", "268443456"), record("""
                import torch, triton, triton.language as tl
                @triton.jit
                def double(rows, out, n, B: tl.constexpr):
                    i = tl.program_id(0) * B + tl.arange(0, B)
                    tl.store(out + i, tl.load(rows + i, mask=i < n) * 2, mask=i < n)
                tuned = triton.autotune([triton.Config({"B": 128}), triton.Config({"B": 256})], key=["n"])(double)
                rows = torch.randn(1000, device="cuda")
                out = torch.empty_like(rows)
                double[(4,)](rows, out, 1000, B=256)
                print(torch.cuda.max_memory_allocated())
                tuned[lambda chosen: (triton.cdiv(1000, chosen["B"]),)](rows, out, 1000)
                print(torch.cuda.max_memory_allocated())
                """).ok().out().lines().toList());
    }

    /** A bag's gradient is its entries' rows, but for those that pad, so that its values are nothing that another operation made. */
    @Test
    void aBagsGradientIsTheRowsOfItsEntries() throws Exception {
        Commands.Ran ran = record("""
                import torch
                bag = torch.nn.EmbeddingBag(1000, 8, sparse=True, mode="mean", padding_idx=3).cuda()
                bag((torch.arange(2000) % 7).cuda(), torch.arange(0, 2000, 10).cuda()).sum().backward()
                print(bag.weight.grad._nnz(), bag.weight.grad.coalesce().indices().shape[1])
                """);
        assertEquals("1714 6", ran.ok().out().trim(), "2,000 less each seventh from the fourth on; six different ones");
        assertTrue(trace().contains("aten.index_select.default"), "they are taken from the bags' gradients");
    }

    /** Its product is one of 16 bits: the turns, the places, the pixels; the gradient's too. */
    @Test
    void underAutocastAGridIsAProductOfSixteenBits() throws Exception {
        assertEquals("torch.bfloat16 torch.float32",
                record("""
                        import torch
                        turn = torch.zeros(8, 2, 3, device="cuda", requires_grad=True)
                        with torch.autocast("cuda", torch.bfloat16):
                            grid = torch.nn.functional.affine_grid(turn, (8, 3, 96, 96), align_corners=False)
                            seen = torch.nn.functional.grid_sample(torch.randn(8, 3, 96, 96, device="cuda"), grid, align_corners=False)
                        seen.sum().backward()
                        print(grid.dtype, turn.grad.dtype)
                        """)
                        .ok().out().trim());
        assertTrue(trace().contains("aten.bmm.default"), "the product is an operation of its own");
    }

    /** In inference mode, too, weights that learn are multiplied with a matrix, for which what lies apart is copied. */
    @Test
    void whatLiesApartIsFoldedBeforeALayerThatLearns() throws Exception {
        record("""
                import torch
                x, layer = torch.randn(4, 6, 8, device="cuda")[:, 1:], torch.nn.Linear(8, 16, device="cuda")
                with torch.inference_mode():
                    layer(x)
                """).ok();
        String lines = String.join("\n", lines(folder.resolve("step.trace")));
        assertTrue(lines.contains("aten.clone") && lines.contains("aten.mm.") && !lines.contains("aten.bmm"), lines);
    }

    /** Products of sparse matrices in either place, made from dense ones whose values are known on the host: 50 places on a diagonal. */
    @Test
    void sparseMatricesAreMadeOfDenseOnesAndMultiplied() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        diagonal, dense = torch.eye(50).to_sparse(), torch.randn(50, 30)
                        print(diagonal._nnz(), (diagonal @ dense).shape[1], (dense.t() @ diagonal).shape[0], (diagonal @ diagonal)._nnz())
                        moved = diagonal.cuda()
                        print(moved._nnz(), (dense.cuda().t() @ moved).layout)
                        """)
                .ok();
        assertEquals(List.of("50 30 30 50", "50 torch.strided"), ran.out().lines().toList());
    }

    /** PyTorch takes a mode of the program's own for a tensor subclass: where products are saved and the rest is not, a bias is added out of place, else in place. */
    @Test
    void biasesAreAddedOutOfPlaceUnderAModeOfTheProgramsOwn() throws Exception {
        record("""
                import torch
                from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts as contexts
                layer, x = torch.nn.Linear(8, 16).cuda(), torch.randn(4, 6, 10, device="cuda", requires_grad=True)[..., :8]
                layer(x).sum().backward()
                keep = lambda ctx, op, *a, **k: CheckpointPolicy.MUST_SAVE
                checkpoint(layer, x, use_reentrant=False, context_fn=lambda: contexts(keep)).sum()
                """)
                .ok();
        List<String> sums = lines(folder.resolve("step.trace")).stream()
                .filter(line -> line.startsWith("[\"O\"") && line.contains("aten.add")).toList();
        assertEquals(2, sums.size(), () -> sums.toString());
        assertTrue(sums.get(0).contains("aten.add_.Tensor") && sums.get(1).contains("aten.add.Tensor"), sums.get(0));
    }

    /** The weights of a recurrent layer are views of one storage: a copy of the four has one storage, and four empty tensors that take it. */
    @Test
    void copiesOfAStoragesTensorsAreMadeOneByOne() throws Exception {
        record("""
                import copy, torch
                copy.deepcopy(torch.nn.GRU(8, 16).cuda().state_dict())
                """).ok();
        List<String> lines = lines(folder.resolve("step.trace"));
        String empty = lines.stream().filter(line -> line.contains("aten.new_empty.default")).findFirst().orElseThrow();
        String asked = "[\"o\"," + empty.split(",")[1] + ",";
        assertEquals(4, lines.stream().filter(line -> line.startsWith(asked)).count());
    }

    /** The first step of Rprop has no former gradient, so no sign is positive: 1, 8 and 4 bytes for a mask, its place and a number come with the last of three questions. */
    @Test
    void productsWithZerosAreZero() throws Exception {
        Commands.Ran ran = record("""
                import torch
                scale = torch.nn.Parameter(torch.ones((), device="cuda"))
                before = torch.zeros_like(scale)
                loss = (scale * torch.randn(9000, device="cuda").exp()).sum()
                loss.backward()
                sign = scale.grad.mul(before).sign()
                print(bool(sign > 0), bool(sign < 0), bool(sign == 0), (sign * 3).item())
                """).ok();
        assertEquals("False False True 0.0", ran.out().strip());
    }

    /** Three sequences of 9, 4 and 2 tokens in inference: an encoder's layers see 15 tokens of 32 numbers, 1,920 bytes, not 27; where padding comes first they see all. */
    @Test
    @Tag("landing")
    void anEncoderLeavesPaddingOutInInference() throws Exception {
        Commands.Ran ran = record("""
                import torch
                layer = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
                encoder = torch.nn.TransformerEncoder(layer, 2).cuda().eval()
                pad = torch.arange(9)[None] >= torch.tensor([9, 4, 2])[:, None]
                x = torch.randn(3, 9, 32, device="cuda")
                with torch.no_grad():
                    print(encoder(x, src_key_padding_mask=pad.cuda()).shape)
                    print(encoder(x, src_key_padding_mask=pad.flip(1).cuda()).shape)
                """).ok();
        assertEquals("torch.Size([3, 9, 32]) torch.Size([3, 9, 32])", ran.out().strip().replace("\n", " "));
        List<String> lines = lines(folder.resolve("step.trace"));
        String norm = lines.stream().filter(line -> line.contains("native_layer_norm")).findFirst().orElseThrow();
        List<String> norms = lines.stream().filter(line -> line.startsWith("[\"o\"," + norm.split(",")[1] + ","))
                .toList();
        assertEquals(List.of(4L, 4L), List.of(norms.stream().filter(line -> line.contains(",1920],")).count(),
                norms.stream().filter(line -> line.contains(",3456],")).count()));
    }
}
