package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program counts and what it then selects are as many; skipped where no PyTorch is at hand. */
class RecordedCountsTest extends RecordedScripts {

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
}
