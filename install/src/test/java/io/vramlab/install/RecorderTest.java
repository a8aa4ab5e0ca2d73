package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scripts as people have them, recorded without a GPU; skipped where no PyTorch is at hand. */
class RecorderTest extends RecordedScripts {

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

    /**
     * What the compiler joins it can as well make wider: 63 columns of 163,840 rows become 64 where TF32's products gain by
     * it, 163,840 x 4 bytes more until backward. Those without TF32 gain nothing.
     */
    @Test
    void sizesOfCompiledProductsAreRoundedWhereTensorCoresGainByIt() throws Exception {
        assumeTrue(Commands.run(Map.of(), List.of(python, "-c", "import triton")).status() == 0,
                "Triton is not at hand");
        String script = """
                import torch
                torch.backends.cuda.matmul.allow_tf32 = WIDE
                layer = torch.nn.Linear(63, 192).cuda()
                f = torch.compile(lambda x: layer(torch.cat([x, x.sin(), x.cos()], 1)))
                y = f(torch.randn(163840, 21, device="cuda")).sum()
                print(torch.cuda.memory_allocated())
                """;
        long rounded = Long.parseLong(record(script.replace("WIDE", "True")).ok().out().strip());
        long plain = Long.parseLong(record(script.replace("WIDE", "False")).ok().out().strip());
        assertEquals(163_840 * 4, rounded - plain);
    }

    /**
     * The first compilation makes eleven scales of attention's patterns in float32 and thirteen in float16, each copied, and four
     * bytes for the device's context. A kernel of two configurations that writes into 4 MiB writes into a copy each time: once
     * before the buffer of the cache, five times and a hundred times after it, 2 x 106.
     */
    @Test
    void whatTheCompilerTriesIsTakenAsOftenAsItIsMeasured() throws Exception {
        assumeTrue(Commands.run(Map.of(), List.of(python, "-c", "import triton")).status() == 0,
                "Triton is not at hand");
        record("""
                import torch
                x = torch.randn(1 << 20, device="cuda")
                def f(x):
                    x.mul_(2)
                    return x.view(1024, 1024).sum(1)
                torch.compile(f)(x)
                """).ok();
        List<String> made = lines(folder.resolve("step.trace")).stream().filter(line -> line.startsWith("[\"o\","))
                .map(line -> line.replaceFirst(".*\\[\\[\\d+,(\\d+)]],\"[^\"]*\"]$", "$1")).toList();
        assertEquals(List.of(2 * 11 + 1L, 2 * 13L, 1 + 2 * 106L),
                Stream.of("4", "2", "4194304").map(size -> made.stream().filter(size::equals).count()).toList());
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

    /** Bytes of a module or of a file in memory tell what was put away, wherever they went: 361,200 are 300 x 301 float32, once for each that is made again on the device. */
    @Test
    @Tag("landing")
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

    /** Of fifty entries that is 50 x 2 x 8 bytes of indices and 50 x 4 of values, in a file, on the device, and once more where it is loaded; none while only the file has it. */
    @Test
    void sparseTensorsAreSavedByTheirParts() throws Exception {
        String script = """
                import os, torch
                diagonal = torch.eye(50).to_sparse().cuda()
                print(torch.cuda.memory_allocated())
                torch.save({"mask": diagonal}, "FOLDER/mask.pt")
                del diagonal
                print(os.path.getsize("FOLDER/mask.pt"), torch.cuda.memory_allocated())
                mask = torch.load("FOLDER/mask.pt")["mask"]
                print(torch.cuda.memory_allocated(), mask.layout, mask._nnz(), torch.load("FOLDER/mask.pt", map_location="cpu")["mask"].device)
                """;
        assertEquals(List.of("1000", "1000 0", "1000 torch.sparse_coo 50 cpu"),
                record(script).ok().out().lines().toList());
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
    @Tag("landing")
    void whatWantsTheNetworkIsAdvised() throws Exception {
        Commands.Ran ran = record("""
                import torch, urllib.error
                torch.ones(3, device="cuda")
                raise urllib.error.URLError("no route")
                """);
        assertEquals(1, ran.status());
        assertTrue(ran.err().contains("train.py\", line 3"), ran.err());
        assertTrue(ran.err().contains("Weights are never read here"), ran.err());
        assertFalse(ran.err().contains("vramlab_trace.py\", line") || ran.err().contains("vramlab_recorder"),
                ran.err());
    }

    /**
     * A model that was saved is built again from its configuration, in its type: of 64 values for each of 1,000 tokens and 128 places, two
     * layers of 49,984 and a norm of 128 two bytes each.
     */
    @Test
    void aModelOfTransformersIsBuiltAgainFromWhereItWasSaved() throws Exception {
        String script = """
                import importlib.util, torch
                if importlib.util.find_spec("transformers") is None:
                    raise SystemExit(print("absent"))
                from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel
                GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=2, n_embd=64, vocab_size=1000, n_positions=128)).to(torch.bfloat16).cuda().save_pretrained("FOLDER/best")
                model = AutoModelForCausalLM.from_pretrained("FOLDER/best").cuda()
                print(model.dtype, sum(p.nbytes for p in model.parameters()), type(model).__name__)
                """;
        String told = record(script).ok().out().strip();
        assumeTrue(!told.equals("absent"), "transformers is not at hand");
        assertEquals("torch.bfloat16 " + 2 * (64 * (1000 + 128) + 2 * 49_984 + 128) + " GPT2LMHeadModel", told);
    }
}
