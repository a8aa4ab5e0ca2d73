package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program reads from its tensors, and what is taken of what nobody knows; skipped where no PyTorch is at hand. */
class RecordedValuesTest extends RecordedScripts {

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

    /** Workers draw by numbers of their own, so what they draw and what the program draws beside them is what several processes draw. */
    @Test
    void whatWorkersDrawIsWhatTheirProcessesDraw() throws Exception {
        String script = """
                import random, torch
                from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info
                torch.manual_seed(4), random.seed(4)
                class Words(Dataset):
                    def __init__(self):
                        self.own, self.seen = random.Random(1), 0
                    def __len__(self):
                        return 22
                    def __getitem__(self, i):
                        self.seen += 1
                        return i, int(torch.randint(5, 500, ())), random.randint(5, 500), self.own.randint(5, 500), self.seen
                class Stream(IterableDataset):
                    def __iter__(self):
                        worker = get_worker_info()
                        for i in range(worker.id, 9, worker.num_workers):
                            yield i, int(torch.randint(5, 500, ()))
                class Masked:
                    def __init__(self):
                        self.g = torch.Generator().manual_seed(9)
                    def __call__(self, rows):
                        return len(rows), int(torch.randint(5, 500, (), generator=self.g))
                if __name__ == "__main__":
                    words = Words()
                    for stay in (False, True):
                        loader = DataLoader(words, 4, shuffle=True, num_workers=2, persistent_workers=stay, collate_fn=list)
                        for epoch in range(2):
                            print(list(loader), random.random(), torch.rand(1).item())
                    print(words.seen, loader.num_workers, list(DataLoader(Stream(), 2, num_workers=2, collate_fn=list)), torch.rand(1).item())
                    seeded = DataLoader(words, 4, num_workers=2, worker_init_fn=torch.manual_seed, generator=torch.Generator().manual_seed(3), collate_fn=list)
                    print(list(seeded), torch.rand(1).item(), list(DataLoader(words, 4, num_workers=2, collate_fn=Masked())))
                """;
        Path plain = Files.writeString(folder.resolve("plain.py"), script);
        String drawn = Commands.run(Map.of(), List.of(python, plain.toString())).ok().out();
        assertEquals(drawn, record(script + "torch.ones(1, device='cuda')\n").ok().out());
    }

    /** Where a worker puts tensors together they lie in memory that processes share, by PyTorch's own function or by the program's; what they hold stays known. */
    @Test
    void whatWorkersPutTogetherInSharedMemoryIsKnown() throws Exception {
        String script = """
                import torch
                from torch.utils.data import DataLoader, Dataset, get_worker_info
                class Rows(Dataset):
                    def __len__(self):
                        return 7
                    def __getitem__(self, i):
                        return torch.randn(3, 8, generator=torch.Generator().manual_seed(i)), torch.arange(i + 3).sum()
                def side_by_side(rows):
                    first = rows[0][1]
                    shared = first.untyped_storage()._new_shared(8 * len(rows), device=first.device)
                    return get_worker_info().id, torch.stack([row[1] for row in rows], out=first.new(shared).resize_(len(rows)))
                if __name__ == "__main__":
                    for images, labels in DataLoader(Rows(), 4, num_workers=2, pin_memory=torch.cuda.is_available()):
                        print(images.shape, images.device, labels.tolist())
                    for worker, labels in DataLoader(Rows(), 4, num_workers=2, collate_fn=side_by_side):
                        print(worker, labels.tolist())
                """;
        Path plain = Files.writeString(folder.resolve("plain.py"), script);
        String drawn = Commands.run(Map.of(), List.of(python, plain.toString())).ok().out();
        assertEquals(drawn, record(script + "torch.ones(1, device='cuda')\n").ok().out());
    }

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
     * Of three rows 1,000, 3,000 and 500 numbers are kept: 4,500 that are not zero, one fewer in each row without the first column, 9,000 in all. Of a column
     * that is written to later as many were set as of the rest, two of three, so there is one more.
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
        assertEquals(List.of("4500 4497 4500 4500", "4500", "4501"), ran.out().lines().toList());
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

    /**
     * A generator of the device draws as the GPU does: an H100 selected 13,612 places, then 13,521, from this seed (docs/plan.md). Another one of that seed
     * begins anew, and one whose state is put back draws again what it drew; after an operation of which it is not known how much it draws numbers are
     * plausible ones.
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
                        before = g.get_state()
                        first = lengths(g)
                        g.set_state(before)
                        print(lengths(g) == first, len(before))
                        torch.nn.init.trunc_normal_(torch.empty(9, device="cuda"), generator=g)
                        print(lengths(g) > 0)
                        """)
                .ok();
        assertEquals(List.of("13612 13521 6 13612", "True 16", "True"), ran.out().lines().toList());
    }

    /**
     * From its seed on the default generator is followed, too: these are PyTorch's first numbers on a GPU from seed 0, as its users print them. Every
     * four bytes that the state counts are one counter: 1,000 even numbers take one, as do 1,000 that dropout keeps; 10,000 of eight bytes one; 100
     * keys that are sorted one, and 25 that part equal ones; a bernoulli number for each element three (DistributionTemplates.h, Dropout.cu, Randperm.cu).
     */
    @Test
    void theDefaultGeneratorOfTheDeviceDrawsAsTheGpuDoesFromItsSeed() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        def used():
                            return int.from_bytes(bytes(torch.cuda.get_rng_state()[8:].tolist()), "little")
                        torch.manual_seed(0)
                        print([round(v, 4) for v in torch.rand(6, device="cuda").tolist()])
                        torch.cuda.manual_seed_all(0)
                        print([round(v, 4) for v in torch.randn(6, device="cuda").tolist()], used())
                        torch.rand(1000, device="cuda"), torch.nn.functional.dropout(torch.ones(1000, device="cuda"), 0.1)
                        torch.rand(10000, device="cuda", dtype=torch.float64)
                        print(used())
                        torch.randperm(100, device="cuda"), torch.bernoulli(torch.full((1000,), 0.3, device="cuda"))
                        print(used(), torch.cuda.initial_seed())
                        state = torch.cuda.get_rng_state()
                        x = torch.zeros(4096, 8, device="cuda")
                        first = [x[torch.rand(4096, device="cuda") < 0.15].shape[0], int(torch.randint(5, 500, (1,), device="cuda"))]
                        torch.cuda.set_rng_state(state)
                        print(first == [x[torch.rand(4096, device="cuda") < 0.15].shape[0], int(torch.randint(5, 500, (1,), device="cuda"))])
                        kept = torch.bernoulli(torch.full((4096,), 0.3, device="cuda"))
                        print(kept.sum().item() == x[kept.bool()].shape[0], abs(int(kept.sum()) - 1229) < 90)
                        """)
                .ok();
        assertEquals(List.of("[0.399, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967]",
                "[-0.9247, -0.4253, -2.6438, 0.1452, -0.1209, -0.5797] 4",
                "16", "132 0", "True", "True True"), ran.out().lines().toList());
    }

    /** Of 64 tokens each has its two best of four experts: ones that are written there, in each column 32. Pinned numbers are those of the program's seed. */
    @Test
    void onesThatAreWrittenWhereAClassIsAreCountedAndPinnedNumbersAreKnown() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        scores = torch.nn.Linear(8000, 4).cuda()(torch.zeros(64, 8000, device="cuda").normal_())
                        gates = torch.zeros(64, 4, device="cuda").scatter(1, scores.topk(2, dim=1)[1], 1)
                        print(gates.long().sum(0).tolist())
                        torch.manual_seed(3)
                        pinned = torch.rand(1000, pin_memory=True)
                        torch.manual_seed(3)
                        print(torch.equal(pinned, torch.rand(1000)), torch.tensor([1, 0, 2], pin_memory=True).cuda().nonzero().shape[0], torch.ones(5, pin_memory=True)[0].item(), torch.relu.__name__)
                        """)
                .ok();
        assertEquals(List.of("[32, 32, 32, 32]", "True 2 1.0 relu"), ran.out().lines().toList());
    }

    /** What is made like another tensor does not hang on that one's values; what is written into, sorted or summed up stays known; one of 60,000 lies above 2. */
    @Test
    void whatIsMadeLikeAnotherAndWrittenInPlaceIsKnown() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        x = torch.nn.Linear(4, 4).cuda()(torch.zeros(8, 4, device="cuda"))
                        chosen = torch.zeros_like(x)
                        chosen[:, 0] = 1
                        print((chosen == 1).nonzero().shape[0], torch.ones(3, 5, device="cuda").nonzero().shape[0], x.new_full((7,), 2.0).nonzero().shape[0])
                        far = torch.arange(60000.0).cuda().view(10000, 3, 2) - 59997
                        near = far.abs_().max(dim=2).values > 2
                        near &= torch.cumsum(far[..., 0], 1) > 0
                        far.masked_fill_(near[..., None], 0.0)
                        print(x.new_zeros(10000, 3)[~near].shape[0], (far != 0).nonzero().shape[0])
                        a, b = torch.tensor_split(x, indices=(1,), dim=1)
                        print(a.shape[1], b.shape[1])
                        """)
                .ok();
        assertEquals(List.of("8 15 7", "2 3", "1 3"), ran.out().lines().toList());
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

    /**
     * Of detectors: 8 best of 256 places for each of 3 boxes are 24 places at most; of 91 classes none is as probable as 0.05,
     * of 4 all are; of 512 samples 23 are of 3 boxes, which 2,000 of 16,000 anchors leave: 3 x (1 + 54 / 8).
     */
    @Test
    @Tag("landing")
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

    /** Classes that a program draws from 1 on are no reason to find no background: 512 proposals are sampled of an image, of which at most a quarter are of boxes. */
    @Test
    void aDetectorSamplesAsManyProposalsAsItIsToldTo() throws Exception {
        String script = """
                import torch
                from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_fpn
                model = fasterrcnn_mobilenet_v3_large_fpn(weights=None, weights_backbone=None, num_classes=8, min_size=320, max_size=320).cuda().train()
                model.roi_heads.box_head.register_forward_pre_hook(lambda module, given: print(len(given[0])))
                for boxes in (1, 3):
                    left = torch.rand(boxes, 2, device="cuda") * 200
                    target = {"boxes": torch.cat([left, left + 60], 1), "labels": torch.randint(1, 8, (boxes,)).cuda()}
                    model([torch.rand(3, 320, 320, device="cuda")], [target])
                """;
        assertEquals(List.of("512", "512"), record(script).ok().out().lines().toList());
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

    /** Which weights are pruned hangs on their values, how many does not: 3 of 10 of 6,000, then 3 of 10 of what is left, 2,940, whichever layer they are of. */
    @Test
    void prunedWeightsAreCounted() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        import torch.nn.utils.prune as prune
                        layers = [torch.nn.Linear(100, 40).cuda(), torch.nn.Linear(40, 50).cuda()]
                        for left in (0.7, 0.49):
                            prune.global_unstructured([(m, "weight") for m in layers], prune.L1Unstructured, amount=0.3)
                            masks = [m.weight_mask for m in layers]
                            print(sum((m.weight != 0).sum().item() for m in layers), sum(int(m.sum()) for m in masks))
                            for m in layers:
                                m(torch.randn(8, m.in_features, device="cuda")).sum().backward()
                        prune.remove(layers[0], "weight")
                        print(layers[0].weight.detach().to_sparse().values().shape[0], (layers[0].weight == 0).float().mean().item())
                        with torch.no_grad():
                            layers[0].weight.add_(0.1)
                        print(layers[0].weight.count_nonzero().item())
                        """)
                .ok();
        assertEquals(List.of("4200 4200", "2940 2940", "1960 0.51", "1"), ran.out().lines().toList());
    }

    /** Masks by hand: a threshold over two layers of 6,000 weights in all keeps 1,200 of them, also where it lies among zeros; zeros that are written or multiplied in stay. */
    @Test
    @Tag("landing")
    void whatAThresholdOrAMaskLeavesIsCounted() throws Exception {
        Commands.Ran ran = record("""
                import torch
                weights = [torch.randn(100, 40, device="cuda"), torch.randn(50, 40, device="cuda")]
                for part in (0.8, 0.5):
                    least = torch.cat([w.abs().flatten() for w in weights]).kthvalue(int(6000 * part))[0]
                    for w in weights:
                        w.mul_((w.abs() > least).float())
                    print([w.nonzero().shape[0] for w in weights])
                rows = torch.zeros(100, device="cuda")
                rows[weights[0].norm(dim=1).topk(30)[1]] = 1
                print(int(rows.sum()), weights[0][rows.bool()].shape[0], (1 - rows).nonzero().shape[0])
                masked = torch.where(rows[:, None] > 0, torch.randn(100, 40, device="cuda"), 0)
                print(masked.nonzero().shape[0], masked.abs().gt(0).sum().item())
                scores = torch.randn(100, 40, device="cuda").exp()
                print((scores > torch.quantile(scores, 0.9).item()).float().mean().item())
                """).ok();
        assertEquals(List.of("[800, 400]", "[800, 400]", "30 30 70", "1200 1200", "0.1"), ran.out().lines().toList());
    }

    /** How many of 2,000 scores outdo the one looked for is as chance has it: of 600 rows three have it among the first ten, whichever way it is asked; ten in 200 places. */
    @Test
    void ranksAreAsChanceHasThem() throws Exception {
        Commands.Ran ran = record("""
                import torch
                layer, right = torch.nn.Linear(16, 2000).cuda(), torch.randint(0, 2000, (600,)).cuda()
                with torch.no_grad():
                    scores = layer(torch.randn(600, 16, device="cuda"))
                rank = (scores > scores.gather(1, right[:, None])).sum(1)
                print((rank < 10).sum().item(), rank[rank < 10].shape[0])
                hit = (scores.topk(10).indices == right[:, None]).any(1)
                print(int(hit.sum()), scores[hit].shape[0])
                places = scores.argsort(1, descending=True).argsort(1)
                print(int((places.gather(1, right[:, None]) < 10).sum()), scores[places < 10].shape[0])
                best, _ = scores.softmax(-1).max(-1)
                print(int((best > 0.9).sum()), int((best > 0).sum()))
                """).ok();
        assertEquals(List.of("3 3", "3 3", "3 6000", "0 600"), ran.out().lines().toList());
    }

    /** Rounds of pruning by a quantile of what is left keep 4 of 5 each time: 64 of 100, then 51 and a fifth. */
    @Test
    void aQuantileOfWhatIsLeftIsAmongWhatIsLeft() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        weight = torch.nn.Parameter(torch.randn(200, 500, device="cuda"))
                        mask = torch.ones_like(weight)
                        for _ in range(3):
                            alive = weight.data[mask.bool()].abs()
                            mask = torch.where(weight.data.abs() < torch.quantile(alive[:50000], 0.2), torch.zeros_like(mask), mask)
                            weight.data *= mask
                            print(alive.shape[0], int(mask.sum()))
                        """)
                .ok();
        assertEquals(List.of("100000 80000", "80000 64000", "64000 51200"), ran.out().lines().toList());
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

    /** A mask of 6 that is taken as all set is set in its last place, 5, too. */
    @Test
    void placesOfAMaskThatIsTakenAsSetAreAllPlaces() throws Exception {
        assertEquals("6 5", record("""
                import torch
                places = torch.empty(2, 3, device="cuda").nonzero()
                print(len(places), int((places[:, 0] * 3 + places[:, 1]).max()))
                """).ok().out().strip());
    }
}
