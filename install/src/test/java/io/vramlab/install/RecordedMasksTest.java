package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

/** Masks select as many places as they do in the run, where that can be known; skipped where no PyTorch is at hand. */
class RecordedMasksTest extends RecordedScripts {

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

    /** A mask of 6 that is taken as all set is set in its last place, 5, too. */
    @Test
    void placesOfAMaskThatIsTakenAsSetAreAllPlaces() throws Exception {
        assertEquals("6 5", record("""
                import torch
                places = torch.empty(2, 3, device="cuda").nonzero()
                print(len(places), int((places[:, 0] * 3 + places[:, 1]).max()))
                """).ok().out().strip());
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
}
