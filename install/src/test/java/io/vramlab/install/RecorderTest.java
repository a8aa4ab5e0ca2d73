package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts as people have them, recorded without a GPU; skipped where no PyTorch is at hand. */
class RecorderTest {

    @TempDir
    private Path folder;
    private String python;

    @BeforeEach
    void findPyTorch() throws Exception {
        python = PlanCommandTest.python();
    }

    private Commands.Ran record(String script, String... options) throws Exception {
        Path file = Files.writeString(folder.resolve("train.py"), script.replace("FOLDER", folder.toString()));
        List<String> command = new ArrayList<>(List.of(python, Checkout.file("install/vramlab_trace.py").toString(),
                "-o", folder.resolve("step.trace").toString(), "--device", "H200"));
        command.addAll(List.of(options));
        command.add(file.toString());
        return Commands.run(Map.of(), command);
    }

    @Test
    void workersCheckpointsGeneratorsAndTheCompilerDoNotStopARecording() throws Exception {
        Commands.Ran ran = record(
                """
                        import shutil
                        import torch
                        from torch.utils.data import DataLoader, TensorDataset
                        data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
                        loader = DataLoader(data, 16, True, num_workers=3, pin_memory=True, persistent_workers=True, prefetch_factor=4, timeout=30)
                        model = torch.compile(torch.nn.Linear(8, 1).cuda(), mode="max-autotune")
                        noise = torch.Generator(device="cuda").manual_seed(3)
                        for x, y in loader:
                            loss = (model(x.cuda()) - y.cuda() + torch.randn(1, device="cuda", generator=noise)).square().mean()
                            loss.backward()
                        torch.save({"model": model.state_dict()}, "FOLDER/best.pt")
                        shutil.copy("FOLDER/best.pt", "FOLDER/copy.pt")
                        model.load_state_dict(torch.load("FOLDER/copy.pt", map_location="cuda")["model"])
                        print("seen", len(loader), hasattr(model, "_orig_mod"))
                        """,
                "--batches", "2").ok();
        assertTrue(ran.out().contains("seen 2 True"), ran.out());
        assertFalse(Files.exists(folder.resolve("best.pt")));
    }

    /** Three operations are one kernel, which takes its result alone; the eager form has two results in between at once. */
    @Test
    void whatIsCompiledTakesWhatTheCompilerLeaves() throws Exception {
        assumeTrue(Commands.run(Map.of(), List.of(python, "-c", "import triton")).status() == 0,
                "Triton is not at hand");
        String script = """
                import torch
                x = torch.randn(1 << 26, device="cuda")
                def f(x):
                    return (x * 2 + 1).relu() * 3
                y = COMPILE(f)(x)
                print(torch.cuda.max_memory_allocated() >> 28)
                """;
        assertEquals("3", record(script.replace("COMPILE", "")).ok().out().strip());
        assertEquals("2", record(script.replace("COMPILE", "torch.compile")).ok().out().strip());
    }

    /** Attention with dropout is computed again for backward, by the random numbers that it had. */
    @Test
    void checkpointsInsideOfWhatIsCompiledAreFollowed() throws Exception {
        assumeTrue(Commands.run(Map.of(), List.of(python, "-c", "import triton")).status() == 0,
                "Triton is not at hand");
        record("""
                import torch
                from torch.utils.checkpoint import checkpoint
                q = torch.randn(2, 2, 256, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True)
                attend = lambda x: torch.nn.functional.scaled_dot_product_attention(x, x.sin(), x.cos(), dropout_p=0.1).exp()
                torch.compile(lambda x: checkpoint(attend, x, use_reentrant=False).sum())(q).backward()
                """)
                .ok();
        List<String> lines = lines(folder.resolve("step.trace"));
        assertEquals(List.of(),
                lines.stream().filter(line -> line.startsWith("[\"n\"") || line.contains("\"eager_form\"")).toList());
        assertEquals(List.of(), lines.stream().filter(line -> line.contains("higher.")).toList());
        String kind = lines.stream().filter(line -> line.contains("_attention.default\"")).findFirst().orElseThrow()
                .split(",")[1];
        assertEquals(2, lines.stream().filter(line -> line.startsWith("[\"o\"," + kind + ",")).count());
    }

    /** The first run and the captured one compute; each lets cached memory go before it. After that the graph is replayed. */
    @Test
    void answersByCudaGraphsAreComputedTwice() throws Exception {
        assumeTrue(Commands.run(Map.of(), List.of(python, "-c", "import triton")).status() == 0,
                "Triton is not at hand");
        record("""
                import torch
                net = torch.compile(torch.nn.Linear(1024, 1024).cuda(), mode="reduce-overhead")
                with torch.no_grad():
                    for step in range(4):
                        net(torch.randn(64, 1024, device="cuda"))
                """).ok();
        List<String> lines = lines(folder.resolve("step.trace"));
        assertEquals(2, lines.stream().filter(line -> line.contains("\"empty_cache\"")).count());
        String kind = lines.stream().filter(line -> line.contains("aten.addmm")).findFirst().orElseThrow()
                .split(",")[1];
        assertEquals(2, lines.stream().filter(line -> line.startsWith("[\"o\"," + kind + ",")).count());
    }

    private static List<String> lines(Path trace) throws Exception {
        try (var in = new GZIPInputStream(Files.newInputStream(trace))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** 1,050,624 parameters of 4 bytes: buckets as large as the gradients, made when the model is wrapped. */
    @Test
    void oneProcessOfSeveralHasItsBuckets() throws Exception {
        Commands.Ran ran = record("""
                import os, torch, torch.distributed as dist
                os.environ.update(RANK="0", WORLD_SIZE="4", LOCAL_RANK="0")
                dist.init_process_group("nccl")
                model = torch.nn.Linear(1024, 1024, bias=True).cuda()
                before = torch.cuda.memory_allocated()
                model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[0])
                print("buckets", torch.cuda.memory_allocated() - before)
                model(torch.randn(4, 1024, device="cuda")).sum().backward()
                dist.all_reduce(torch.ones(1, device="cuda"))
                print(dist.get_world_size())
                """).ok();
        assertTrue(ran.out().contains("buckets " + 4 * (1024 * 1024 + 1024)), ran.out());
    }

    /** A layer of 4 MiB, of which one of four processes holds a quarter, and of its gradient too. */
    @Test
    void oneProcessOfSeveralHoldsItsPartOfWhatIsSharded() throws Exception {
        Commands.Ran ran = record("""
                import os, torch, torch.distributed as dist
                from torch.distributed.fsdp import fully_shard
                os.environ.update(RANK="0", WORLD_SIZE="4", LOCAL_RANK="0")
                dist.init_process_group("nccl")
                model = torch.nn.Linear(1024, 1024, bias=False).cuda()
                fully_shard(model)
                x = torch.randn(4, 1024, device="cuda")
                print(torch.cuda.memory_allocated() - x.numel() * 4)
                model(x).sum().backward()
                print(tuple(model.weight.grad.to_local().shape))
                dist.destroy_process_group()
                """).ok();
        assertEquals(List.of("" + (1 << 20), "(256, 1024)"), ran.out().lines().toList());
    }

    /** Two sequences of 3 and 5 rows of 8 numbers are 8 rows in one tensor, and three offsets of 8 bytes. */
    @Test
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
    void aRunWithoutEndEndsAfterSoManySteps() throws Exception {
        record("""
                import torch
                p = torch.nn.Parameter(torch.randn(8, device="cuda"))
                o = torch.optim.Adam([p])
                while p.square().sum().item() > 1e-3:
                    p.square().sum().backward()
                    o.step()
                """, "--steps", "3").ok();
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

    /** What a program decides by its seed is decided so here, whatever was drawn in between; losses are told in a format. */
    @Test
    void numbersOfTheHostAreThoseOfTheProgramsSeed() throws Exception {
        String script = """
                import torch
                torch.manual_seed(7)
                torch.nn.Linear(300, 200)
                torch.randn(33, 50, 50), torch.randint(0, 9, (5000, 7)), torch.randperm(9000), torch.randperm(9), torch.empty(9999).bernoulli_(0.3)
                given = torch.Generator().manual_seed(3)
                length = int(torch.randint(40, 500, (1,), generator=given))
                torch.rand(100_000, generator=given)
                loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.arange(10)), 4, shuffle=True)
                print(length, torch.rand(1, generator=given).item(), [b[0].tolist() for b in loader], torch.rand(1).item())
                """;
        Path plain = Files.writeString(folder.resolve("plain.py"), script);
        String drawn = Commands.run(Map.of(), List.of(python, plain.toString())).ok().out();
        assertEquals(drawn, record(script + "f\"{torch.ones(1, device='cuda').sum():.3f}\"\n").ok().out());
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

    /** A router shares tokens out evenly; a norm is finite, so the step is taken; gradients of a bounded activation lie as what comes in. */
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
        assertEquals(List.of("[188, 187] 0", "188 63", "True False False", "True"),
                ran.out().lines().toList());
    }

    /**
     * Of three rows 1,000, 3,000 and 500 numbers are kept: 4,500 that are not zero, one fewer in each row without the first column, 9,000 in all. What was
     * written to later is not known.
     */
    @Test
    void masksOfWhatIsPaddedSelectWhatIsKept() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        keep = torch.arange(3000, device="cuda") < torch.tensor([[1000], [3000], [500]], device="cuda")
                        x, words = torch.zeros(3, 3000, 4, device="cuda"), (torch.rand(3, 3000, device="cuda") * 50).long() + 1
                        padded = words * keep
                        print(x[padded != 0].shape[0], x[:, 1:][padded[:, 1:] != 0].shape[0], x[padded == 0].shape[0], x[padded.bool()].shape[0])
                        print(x[words.masked_fill(keep, 0) != 0].shape[0])
                        padded[:, 0] = 7
                        print(x[padded != 0].shape[0])
                        """)
                .ok();
        assertEquals(List.of("4500 4497 4500 4500", "4500", "9000"), ran.out().lines().toList());
    }

    /**
     * A generator of the device draws as the GPU does: an H100 selected 13,612 places, then 13,521, from this seed (docs/plan.md). Another one of that seed
     * begins anew; after an operation of which it is not known how much it draws, or when its state was asked for, numbers are plausible ones.
     */
    @Test
    void aGeneratorOfTheDeviceDrawsAsTheGpuDoes() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        def lengths(g):
                            torch.rand(256, 101, generator=g, device="cuda")
                            longest = torch.randint(5, 102, (256, 1), generator=g, device="cuda")
                            keep = torch.arange(1, 101, device="cuda") < longest
                            torch.randint(1, 200001, (4096,), generator=g, device="cuda")
                            return torch.zeros(256, 100, device="cuda")[keep].shape[0]
                        g = torch.Generator(device="cuda").manual_seed(6)
                        print(lengths(g), lengths(g), g.initial_seed(), lengths(torch.Generator("cuda").manual_seed(6)))
                        torch.randperm(10, generator=g, device="cuda")
                        print(lengths(g) > 0, len(g.get_state()) > 0)
                        """)
                .ok();
        assertEquals(List.of("13612 13521 6 13612", "True True"), ran.out().lines().toList());
    }

    /** Of 10,000 even numbers 1,500 lie below 0.15, of 10 classes each has 1,000; a seventh of a normal curve, 0.1587, lies above its deviation. */
    @Test
    void masksOfDrawnNumbersSelectAsManyAsAreDrawn() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        x = torch.zeros(10000, 4, device="cuda")
                        few = torch.empty(10000, device="cuda").uniform_() < 0.15
                        print(x[few].shape[0], x[~few].shape[0], int(few.sum()))
                        drawn = torch.rand(10000, device="cuda")
                        classes = (drawn * 10).long().random_(0, 10)
                        print(x[classes == 3].shape[0], x[classes >= 5].shape[0], x[classes != -100].shape[0], x[few & (classes < 5)].shape[0])
                        print((torch.randn(10000, device="cuda") > 1).nonzero().shape[0], (torch.rand(2000, 2000) < 0.05).nonzero().shape[0])
                        print(x[torch.empty(10000, device="cuda").bernoulli_(0.3).bool()].shape[0])
                        few.fill_(True)
                        print(x[few].shape[0])
                        """)
                .ok();
        assertEquals(List.of("1500 8500 1500", "1000 5000 10000 750", "1587 200000", "3000", "10000"),
                ran.out().lines().toList());
    }

    /** The device has a generator of its own: what the host draws afterwards is what it draws without it. */
    /** Two that draw by weights, too many to be kept for the device, then one whose weights come from the device: as many numbers are drawn. */
    @Test
    void whatTheHostDrawsByOtherNumbersIsDrawn() throws Exception {
        String script = """
                import torch
                torch.manual_seed(7)
                chosen = torch.bernoulli(torch.full((16, 320), 0.3)).bool()
                places = torch.multinomial(torch.rand(120_000).pow(4), 5000, replacement=True)
                kept = torch.bernoulli(torch.rand(9, device=DEVICE).sigmoid().cpu())
                print(int(chosen.sum()), int(places.sum()), torch.randint(3, 60, (5,)).tolist())
                """;
        Path plain = Files.writeString(folder.resolve("plain.py"),
                script.replace("rand(9, device=DEVICE)", "zeros(9)"));
        String drawn = Commands.run(Map.of(), List.of(python, plain.toString())).ok().out();
        assertEquals(drawn, record(script.replace("DEVICE", "'cuda'")).ok().out());
    }

    /** Rows of a bag's gradient that the host knows, a mask whose places a broadcast value does not tell, and what addresses tell apart. */
    @Test
    void whatTheHostKnowsIsKnownOfRowsMasksAndStorages() throws Exception {
        String script = """
                import numpy, torch
                rows = torch.from_numpy(numpy.arange(20_000) % 7 * 11).to("cuda")
                bag = torch.nn.EmbeddingBag(1000, 8, sparse=True, mode="sum").cuda()
                bag(rows, torch.arange(0, 20_000, 10).cuda()).sum().backward()
                mask = torch.tensor(numpy.arange(20).reshape(4, 5) % 3 == 0, device="cuda")
                torch.zeros(4, 5, 6, device="cuda")[mask] = torch.ones(6, device="cuda")
                layer = torch.nn.Linear(4, 4).cuda()
                addresses = {t.data_ptr() for t in (layer.weight, layer.bias, layer.weight.detach(), bag.weight[1:], bag.weight)}
                labels = torch.nn.functional.interpolate(torch.randint(0, 20, (4, 1, 8, 8)).float(), size=(320, 320)).long().squeeze(1)
                labels[:, :6] = 255
                print(int((labels.cuda() < 20).sum()))
                print(bag.weight.grad.coalesce().indices().shape[1], len(addresses), layer.weight[1:].data_ptr() - layer.weight.data_ptr())
                """;
        assertEquals(List.of("401920", "7 4 16"), record(script).ok().out().lines().toList()); // 4 x 314 x 320
        assertTrue(trace().contains("\"places\":7"), "20 places in steps of 3");
    }

    /** As the host has the numbers, and the device copies and compares them one by one: up to 2^21 are known, many more than it works with. */
    @Test
    void whichPlacesAreSetIsKnownOfMasksThatTheDeviceMakesOfTheHostsNumbers() throws Exception {
        String script = """
                import torch
                torch.manual_seed(5)
                valid = (torch.rand(3, 300, 400) > 0.05).float().to(DEVICE)
                flow = torch.randn(3, 2, 300, 400)[:, :, :150].to(DEVICE)
                mask = valid[:, :150].bool() & (flow.norm(dim=1) < 2)
                err = torch.zeros(4, 3, 150, 400, device=DEVICE)[:, mask]
                stride = torch.empty((), dtype=torch.int64, device=DEVICE).fill_(8)
                near = torch.arange(9000, dtype=torch.int32, device=DEVICE) * stride + torch.rand(1).to(DEVICE) < 400
                print(tuple(err.shape), near.nonzero().shape)
                """;
        Path plain = Files.writeString(folder.resolve("plain.py"), script.replace("DEVICE", "'cpu'"));
        String counted = Commands.run(Map.of(), List.of(python, plain.toString())).ok().out();
        assertEquals(counted, record(script.replace("DEVICE", "'cuda'")).ok().out());
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

    /** Bytes of a module or of a file in memory tell what was put away, wherever they went: 361,200 are 300 x 301 float32, once for each that is made again on the device. */
    @Test
    void whatIsPickledOrSavedInMemoryIsMadeAgain() throws Exception {
        String script = """
                import copy, io, pickle, torch
                model = torch.nn.Linear(300, 300).cuda()
                model.register_buffer("places", torch.arange(4))
                before = torch.cuda.memory_allocated()
                again = pickle.loads(pickle.dumps(model))
                print(torch.cuda.memory_allocated() - before, again.weight.requires_grad, again.places.tolist())
                file = io.BytesIO()
                torch.save(model.state_dict(), file)
                state = torch.load(io.BytesIO(file.getvalue()))
                print(torch.cuda.memory_allocated() - before, state["weight"].device)
                file.seek(0)
                same = copy.copy(model.weight.detach()), torch.load(file, map_location="cpu")
                print(torch.cuda.memory_allocated() - before)
                """;
        assertEquals(List.of("361200 True [0, 1, 2, 3]", "722400 cuda:0", "722400"),
                record(script).ok().out().lines().toList());
    }

    /**
     * Of detectors: 8 best of 256 places for each of 3 boxes are 24 places at most; of 91 classes none is as probable as 0.05,
     * of 4 all are; of 512 samples 23 are of 3 boxes, which 2,000 of 16,000 anchors leave: 3 x (1 + 54 / 8).
     */
    @Test
    void whatADetectorChoosesIsCountedByWhatItChoosesFrom() throws Exception {
        String script = """
                import torch
                from torchvision.models.detection.roi_heads import RoIHeads
                from torchvision.models.detection.rpn import RegionProposalNetwork
                overlaps = torch.rand(256, 3, device="cuda").sigmoid()
                chosen = torch.zeros_like(overlaps, dtype=torch.bool).scatter_(0, overlaps.topk(8, dim=0).indices, True)
                print(overlaps[chosen.any(1)].shape[0])
                for classes in (91, 4):
                    scores = torch.randn(100, classes, device="cuda").softmax(-1)
                    print([len(torch.where(part[:, 1:].reshape(-1) > 0.05)[0]) for part in scores.split([40, 60])])
                most = dict(training=2000, testing=1000)
                network = RegionProposalNetwork(None, None, 0.7, 0.3, 256, 0.5, most, most, 0.7).train()
                heads = RoIHeads(None, None, None, 0.5, 0.5, 512, 0.25, None, 0.05, 0.5, 100).train()
                proposals, _ = network.filter_proposals(torch.rand(1, 16_000, 4, device="cuda"), torch.rand(16_000, 1, device="cuda"), [(256, 256)], [12_000, 4_000])
                targets = [dict(boxes=torch.rand(3, 4, device="cuda"), labels=torch.ones(3, dtype=torch.int64, device="cuda"))]
                labels = heads.select_training_samples(proposals, targets)[2][0]
                print(len(labels), len(torch.where(labels > 0)[0]))
                """;
        assertEquals(List.of("24", "[0, 0]", "[120, 180]", "512 23"), record(script).ok().out().lines().toList());
    }

    /** How many elements of a mask are set is asked for and then selected: both are taken alike. Of 64 rows each of 8 classes has 8, and by chance as many are of their label's class. */
    @Test
    void whatAProgramCountsIsWhatItSelects() throws Exception {
        String script = """
                import torch
                rows, scores = torch.randn(64, 16, device="cuda"), torch.nn.Linear(16, 8).cuda()
                mask = scores(rows)[:, 0] > 0
                print(len(torch.zeros(int(mask.sum()), 16, device="cuda") + rows[mask]), len(torch.arange(mask.long().sum())), torch.count_nonzero(mask).item())
                print("some" if mask.sum() > 0 else "none")
                best = scores(rows).topk(2).indices
                counts = torch.nn.functional.one_hot(best, 8).sum(1).sum(0).tolist()
                print([len(part) for part in rows.repeat(2, 1).split(counts)])
                label, (_, found) = torch.randint(0, 8, (64,)).cuda(), scores(rows).max(1)
                print((found == label).sum().item(), len(found.unique()), torch.bincount(found).shape[0])
                print([len(part) for part in torch.tensor_split(rows, torch.bincount(found).cumsum(0)[:-1].cpu())])
                """;
        assertEquals(
                List.of("64 64 64", "some", "[16, 16, 16, 16, 16, 16, 16, 16]", "8 8 8", "[8, 8, 8, 8, 8, 8, 8, 8]"),
                record(script).ok().out().lines().toList());
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

    /** As a penalty of gradients needs it, which PyTorch's notes on autocast divide by. */
    @Test
    void theScaleOfLossesStaysWhereNoStepIsSkipped() throws Exception {
        String script = """
                import torch
                model = torch.nn.Linear(64, 8).cuda()
                optimizer, scaler = torch.optim.Adam(model.parameters()), torch.amp.GradScaler("cuda", init_scale=1024.0)
                for _ in range(3):
                    rows = torch.randn(32, 64, device="cuda", requires_grad=True)
                    with torch.autocast("cuda", torch.float16):
                        loss = model(rows).square().mean()
                    slope, = torch.autograd.grad(scaler.scale(loss), rows, create_graph=True)
                    loss = loss + (slope * (1 / scaler.get_scale())).norm()
                    scaler.scale(loss).backward()
                    scaler.step(optimizer)
                    scaler.update()
                print(scaler.get_scale())
                """;
        assertEquals("1024.0", record(script).ok().out().trim());
    }

    /** As programs that go on where they ended take up their random states, the host's and a generator's. */
    @Test
    void randomStatesOfASavedFileAreTakenUp() throws Exception {
        assertEquals("True True",
                record("""
                        import io, torch
                        generator, file = torch.Generator().manual_seed(3), io.BytesIO()
                        torch.save([torch.get_rng_state(), generator.get_state(), torch.cuda.random.get_rng_state()], file)
                        first = torch.randint(0, 1000, (3,)).tolist(), torch.rand(2, generator=generator).tolist()
                        file.seek(0)
                        host, own, device = torch.load(file)
                        torch.set_rng_state(host)
                        generator.set_state(own)
                        torch.cuda.random.set_rng_state_all([device])
                        print(first[0] == torch.randint(0, 1000, (3,)).tolist(), first[1] == torch.rand(2, generator=generator).tolist())
                        """)
                        .ok().out().trim());
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

    @Test
    void whatTheDeviceDrawsLeavesTheHostsNumbersAsTheyAre() throws Exception {
        Commands.Ran ran = record("""
                import torch
                torch.manual_seed(3)
                alone = torch.randint(0, 1000, (8,)).tolist()
                torch.manual_seed(3)
                torch.randint(0, 1000, (8,), device="cuda")
                print(alone == torch.randint(0, 1000, (8,)).tolist())
                """).ok();
        assertEquals("True", ran.out().strip());
    }

    /** A generation's length is asked for so: 40 of 40 tokens, and one more. Rows that lie apart come to the host by one copy. */
    @Test
    void masksAreTakenToBeSetWhereALengthIsCountedAndListsComeAtOnce() throws Exception {
        Commands.Ran ran = record("""
                import torch
                tokens = torch.empty(8, 40, dtype=torch.int64, device="cuda")
                length = 1 + (tokens + 1).bool().sum(dim=1).max()
                print(tokens[:, :length].shape[1], int(length), len(tokens[:2, :30].tolist()[1]))
                """).ok();
        assertEquals("40 41 30", ran.out().strip());
        String lines = String.join("\n", lines(folder.resolve("step.trace")));
        assertTrue(lines.contains("\"device\":{\"d\":\"cpu\"}"), lines);
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

    /** Programs of before there were dtypes name a type for each device, and ask a tensor which it is of. */
    @Test
    void oldNamesOfTypesMeanTheDevice() throws Exception {
        Commands.Ran ran = record(
                """
                        import numpy, torch
                        Tensor = torch.cuda.FloatTensor
                        x = torch.randn(3, 4).type(Tensor)
                        print(x.device, x.type(), isinstance(x, Tensor), isinstance(x, torch.cuda.LongTensor))
                        made = Tensor(5, 2).fill_(1.0), Tensor([1, 2, 3]), Tensor(numpy.random.normal(0, 1, (3, 4))), Tensor(x.shape)
                        print([(t.device.type, str(t.dtype)[6:], tuple(t.shape)) for t in made])
                        print(x.type("torch.cuda.HalfTensor").dtype, x.type(torch.float64).dtype, x.cpu().type())
                        torch.set_default_tensor_type(Tensor)
                        print(torch.zeros(3).device, torch.nn.Linear(3, 4).weight.device)
                        """)
                .ok();
        assertEquals(List.of("cuda:0 torch.cuda.FloatTensor True False",
                "[('cuda', 'float32', (5, 2)), ('cuda', 'float32', (3,)), ('cuda', 'float32', (3, 4)), ('cuda', 'float32', (3, 4))]",
                "torch.float16 torch.float64 torch.FloatTensor", "cuda:0 cuda:0"), ran.out().lines().toList());
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

    /** A module that was made without memory gets parameters of the device. */
    @Test
    void modulesWithoutMemoryAreBroughtToTheDevice() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        with torch.device("meta"):
                            model = torch.nn.Linear(4, 4)
                        model = model.to_empty(device="cuda")
                        torch.nn.utils.skip_init(torch.nn.Linear, 4, 4, device="cuda")(torch.zeros(1, 4, device="cuda")).sum().backward()
                        print(model.weight.device, torch.cuda.memory_allocated() > 0)
                        """)
                .ok();
        assertEquals("cuda:0 True", ran.out().strip());
    }

    /** Layers that wait for their input's size get their parameters where the module was brought to. */
    @Test
    void layersThatWaitForTheirShapeAreFollowed() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        from torch import nn
                        model = nn.Sequential(nn.LazyConv2d(8, 3), nn.LazyBatchNorm2d(), nn.Flatten(), nn.LazyLinear(4)).to("cuda")
                        model(torch.zeros(2, 3, 8, 8, device="cuda")).sum().backward()
                        print(model[3].weight.device, tuple(model[3].weight.shape), model[1].running_mean.device, tuple(model[0].weight.grad.shape))
                        """)
                .ok();
        assertEquals("cuda:0 (4, 288) cuda:0 (8, 3, 3, 3)", ran.out().strip());
    }

    /** 128 values of 5 classes: each is met 26 or 25 times, so what is split by these counts is split whole; of known values it is known. */
    @Test
    void countsOfClassesAddUpToAll() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        expert = torch.zeros(64, 4, device="cuda").normal_().topk(2)[1].flatten()
                        counts = torch.bincount(expert, minlength=5)
                        print(counts.tolist(), int(counts[4]), [len(p) for p in torch.zeros(128, device="cuda").split(counts.tolist())])
                        known = torch.arange(5000).cuda() % 7
                        print(torch.bincount(known).shape[0], torch.unique(known).shape[0])
                        """)
                .ok();
        assertEquals(List.of("[26, 26, 26, 25, 25] 25 [26, 26, 26, 25, 25]", "7 7"), ran.out().lines().toList());
    }

    /** The line search of LBFGS goes by values: all iterations are counted, which its history of 5 needs. */
    @Test
    void theOptimizerThatSearchesUsesAllItsIterations() throws Exception {
        Commands.Ran ran = record("""
                import torch
                p = torch.nn.Parameter(torch.randn(1000, device="cuda"))
                for search in (None, "strong_wolfe"):
                    o, calls = torch.optim.LBFGS([p], max_iter=7, line_search_fn=search), [0]
                    def closure():
                        calls[0] += 1
                        o.zero_grad()
                        loss = p.square().sum()
                        loss.backward()
                        return loss
                    o.step(closure)
                    print("calls", calls[0])
                """).ok();
        assertEquals(List.of("calls 7", "calls 8"), ran.out().lines().toList());
    }

    @Test
    void whatWantsTheNetworkIsAdvised() throws Exception {
        Commands.Ran ran = record("""
                import torch, urllib.error
                torch.ones(3, device="cuda")
                raise urllib.error.URLError("no route")
                """);
        assertEquals(1, ran.status());
        assertTrue(ran.err().contains("train.py\", line 3"), ran.err());
        assertTrue(ran.err().contains("Weights are never read here"), ran.err());
        assertFalse(ran.err().contains("vramlab_trace.py\", line"), ran.err());
    }

    private String trace() throws Exception {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(folder.resolve("step.trace")))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
