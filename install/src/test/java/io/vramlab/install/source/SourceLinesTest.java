package io.vramlab.install.source;

import static io.vramlab.install.source.Sources.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import io.vramlab.memory.Frame;

class SourceLinesTest {

    private static final String MODULE = "<module>";

    /** The line, given by a part of it, as the source's reader names it. */
    private static Optional<String> line(String text, String part) {
        return Optional.of(Sources.FILE + ":" + frame(text, part, MODULE).line());
    }

    private static SourceLines lines(String text) {
        return new SourceLines(Sources.program(text));
    }

    private static Optional<String> kept(String text, boolean graph, Frame... user) {
        return lines(text).kept(List.of(user), 0, graph).stream().findFirst();
    }

    private static Optional<String> varied(String text, Frame... user) {
        return lines(text).varied(List.of(user), 0);
    }

    @Test
    void aResultIsKeptWhereItIsAppendedUnderAnotherName() {
        String text = """
                for x in batches:
                    y = model(x)
                    z = y.softmax(-1)
                    print(z.shape)
                    found.append(z)
                """;
        assertEquals(line(text, "found.append"), kept(text, false, frame(text, "model(x)", MODULE)));
    }

    @Test
    void whatIsTakenOutOfItIsNotKept() {
        String text = """
                for x in batches:
                    loss = model(x)
                    sizes.append(loss.shape)
                    curve.append(loss.mean().item())
                    if verbose:
                        rows.append(float(loss))
                """;
        assertEquals(Optional.empty(), kept(text, false, frame(text, "model(x)", MODULE)));
    }

    @Test
    void ofAGraphOnlyWhatIsNotDetachedIs() {
        String text = """
                for x in batches:
                    loss = model(x)
                    curve.append(loss.detach())
                    total = total + loss
                """;
        Frame call = frame(text, "model(x)", MODULE);
        assertEquals(line(text, "total ="), kept(text, true, call));
        assertEquals(line(text, "curve.append"), kept(text, false, call));
    }

    @Test
    void whatAFunctionReturnsIsKeptByItsCaller() {
        String text = """
                def embed(x):
                    y = model(x)
                    return y / y.norm()

                for x in batches:
                    index[x.name] = embed(x)
                """;
        assertEquals(line(text, "index["),
                kept(text, false, frame(text, "model(x)", "embed"), frame(text, "index[", MODULE)));
    }

    @Test
    void whatIsHandedToAFunctionThatPutsItAwayIsKeptThere() {
        String text = """
                class Meter:
                    def update(self, name, value):
                        self.names.append(name)
                        self.values.append(value)

                for name, x in batches:
                    loss = model(x)
                    meter.update(name, loss)
                """;
        assertEquals(line(text, "self.values.append"), kept(text, true, frame(text, "model(x)", MODULE)));
    }

    @Test
    void aHookKeepsWhatALayerMade() {
        String text = """
                def watch(name):
                    def hook(module, inputs, output):
                        seen[name].append(output.detach())
                    return hook

                layer.register_forward_hook(watch("a"))
                """;
        assertEquals(line(text, "seen[name]"), lines(text).keptByHook());
    }

    @Test
    void aSizeComesFromTheListThatALoopRunsThrough() {
        String text = """
                SCHEDULE = [(8, 12), (16, 8), (64, 4)]

                def train(batch):
                    x = make(batch)
                    return model(x)

                for batch, steps in SCHEDULE:
                    train(batch)
                """;
        assertEquals(line(text, "SCHEDULE ="),
                varied(text, frame(text, "return model", "train"), frame(text, "    train(batch)", MODULE)));
    }

    @Test
    void orFromTheLoopItself() {
        String text = """
                for rate in (0.1, 0.01):
                    for length in sorted((128, 4096)):
                        model(tokens(length, rate))
                """;
        assertEquals(line(text, "for length"), varied(text, frame(text, "model(", MODULE)));
    }

    @Test
    void orGrowsWithinTheLoop() {
        String text = """
                horizon = 20
                for step in range(30):
                    cost = rollout(policy, horizon)
                    if step % 5 == 4:
                        horizon = min(horizon * 2, 320)
                """;
        assertEquals(line(text, "horizon = min"), varied(text, frame(text, "rollout(", MODULE)));
    }

    @Test
    void orIsDrawn() {
        String text = """
                for step in range(30):
                    length = random.randint(100, 4000)
                    model(tokens(length))
                """;
        assertEquals(line(text, "length ="), varied(text, frame(text, "model(", MODULE)));
    }

    @Test
    void whatDoesNotChangeIsNoSizeThatVaries() {
        String text = """
                WIDTHS = [64, 128]
                for x in batches:
                    steps += 1
                    model(x)
                """;
        assertEquals(Optional.empty(), varied(text, frame(text, "model(", MODULE)));
    }

    @Test
    void aBatchIsAsLargeAsADefaultOrANameSays() {
        assertEquals(line("crop, batch = 512, 8\n", "crop"), lines("crop, batch = 512, 8\n").batch());
        assertEquals(line("def load(path, batch_size=8):\n    pass\n", "def"),
                lines("def load(path, batch_size=8):\n    pass\n").batch());
        assertEquals(Optional.empty(), lines("def load(batch, frames=1000):\n    pass\n").batch());
    }

    @Test
    void anErrorIsPutAwayOrTriedAgainOrCaught() {
        String caught = """
                try:
                    train(n)
                except torch.OutOfMemoryError as e:
                    n = n // 2
                """;
        String again = caught.replace("n = n // 2", "train(n // 2)");
        String put = caught.replace("n = n // 2", "failed.append((n, e))");
        assertEquals(line(caught, "except"), lines(caught).caught(List.of(List.of(frame(caught, "train(n)", MODULE)))));
        assertEquals(line(again, "train(n // 2)"),
                lines(again).caught(List.of(List.of(frame(again, "train(n)", MODULE)))));
        assertEquals(line(put, "failed"), lines(put).caught(List.of(List.of(frame(put, "train(n)", MODULE)))));
    }

    @Test
    void aWithStandsAroundACall() {
        String text = """
                with torch.cuda.stream(first):
                    a = model(x)
                with torch.cuda.stream(second):
                    b = model(y)
                """;
        assertEquals(line(text, "second"),
                lines(text).with(List.of(List.of(frame(text, "b = model", MODULE))), Saying.STREAM));
    }

    @Test
    void aWordIsFoundOnItsLineOfALongStatement() {
        String text = """
                model = GPT(
                    layers=2,
                    attn_implementation="eager",
                )
                """;
        assertEquals(line(text, "eager"), lines(text).first(Saying.EAGER_SET));
    }

    @Test
    void aSizeComesFromTheListThatAFunctionGivesOneByOne() {
        String text = """
                SCHEDULE = [(16, 128)] * 8 + [(32, 512)] * 8

                def batches():
                    for size, length in SCHEDULE:
                        yield tokens(size, length)

                for batch in batches():
                    model(batch)
                """;
        assertEquals(line(text, "SCHEDULE ="), varied(text, frame(text, "model(", MODULE)));
    }

    @Test
    void withoutACallKnownTheFirstClauseThatTriesAgainIsTold() {
        String text = """
                def attempt(rows):
                    try:
                        return model(rows)
                    except RuntimeError:
                        return attempt(rows[:half])
                """;
        assertEquals(line(text, "return attempt"), lines(text).caught(List.of()));
    }

    @Test
    void whatAModelMadeIsKeptByWordsButNotWhatIsTakenOutOfIt() {
        String text = """
                def evaluate(batches):
                    for x, y in batches:
                        out = model(x)
                        names.append(x.name)
                        loss = mean(out - y)
                        curve.append(loss.item())
                        losses.append(loss)
                """;
        assertEquals(line(text, "losses.append"), lines(text).keptOfModel(true));
    }

    @Test
    void orWhatAMethodIsHanded() {
        String text = """
                class Recorder:
                    def __init__(self, maps):
                        self.maps = [maps]

                    def on_step(self, step, features):
                        self.maps.append([each.detach() for each in features])
                """;
        assertEquals(line(text, "self.maps.append"), lines(text).keptOfModel(false));
    }

    @Test
    void ofTwoCopiesTheOneThatNoConstructorMakesIsTheLaterOne() {
        String text = """
                class Trainer:
                    def __init__(self, model):
                        self.reference = copy.deepcopy(model)

                    def refresh(self):
                        self.reference = copy.deepcopy(self.policy)
                """;
        assertEquals(line(text, "self.policy"), lines(text).late(Saying.COPY_OF_ALL));
        String first = text.substring(0, text.indexOf("    def refresh"));
        assertEquals(line(first, "copy.deepcopy(model)"), lines(first).late(Saying.COPY_OF_ALL));
    }

    @Test
    void aModelIsMadeWhereItIsGivenANameAndNoOptimizerIsOne() {
        String text = """
                class Net(nn.Module):
                    def __init__(self):
                        self.layer = nn.Linear(8, 8)

                optimizer = SGD(model.parameters())
                net = Net().cuda()
                """;
        assertEquals(line(text, "net = Net"), lines(text).modelMade());
        assertEquals(line("m = LlamaForCausalLM(config)\n", "m ="),
                lines("m = LlamaForCausalLM(config)\n").modelMade());
    }

    @Test
    void neitherTheHeadOfAClassNorWhatMakesAModelIsACallOfOne() {
        String text = """
                class PointNet(nn.Module):
                    pass

                model = PointNet()
                out = model(points)
                """;
        assertEquals(List.of(line(text, "out =").orElseThrow()),
                lines(text).modelCalls().stream().map(call -> Sources.FILE + ":" + call.getFirst().line()).toList());
    }

    @Test
    void aTensorIsSizedByANameThatIsNoConstant() {
        String text = """
                def panorama(height, width):
                    mask = torch.ones(3, SIDE, device=device)
                    return torch.empty(3, height, width, device=device)
                """;
        assertEquals(List.of(line(text, "torch.empty").orElseThrow()),
                lines(text).sizedByName().stream().map(call -> Sources.FILE + ":" + call.getFirst().line()).toList());
    }

    @Test
    void rowsBesideEachOtherAreOneLargeOperation() {
        String text = """
                mean = rows.mean()
                far = rows[:, None, :] - points[None, :, :]
                """;
        assertEquals(line(text, "far ="), lines(text).first(Saying.ALL_PAIRS));
        assertEquals(line("d = torch.cdist(a, b)\n", "d ="),
                lines("d = torch.cdist(a, b)\n").first(Saying.ALL_PAIRS));
    }

    @Test
    void ofAStateThatTheNextTurnBeginsWithASumKeepsNothing() {
        String text = """
                for t in range(horizon):
                    s = model(s, actions[t])
                    loss = loss + (s - states[t]).pow(2).mean()
                """;
        assertEquals(Optional.empty(), kept(text, true, frame(text, "model(s", MODULE)));
    }

    @Test
    void norDoesASumThatIsGivenBackAndPutAwayByTheCaller() {
        String text = """
                def distance(x):
                    total = 0.0
                    for c in scales:
                        total = total + kernel(x, c)
                    return total

                for x in batches:
                    gap = distance(x)
                    monitor.append(gap)
                """;
        assertEquals(line(text, "monitor.append"),
                kept(text, true, frame(text, "kernel(x, c)", "distance"), frame(text, "gap =", MODULE)));
    }

    @Test
    void whatIsDrawnFromADistributionHasNoGraph() {
        String text = """
                for obs in rollout:
                    dist, value = agent(obs)
                    action = dist.sample()
                    acts.append(action)
                    values.append(value)
                """;
        assertEquals(line(text, "values.append"), kept(text, true, frame(text, "agent(obs)", MODULE)));
    }

    @Test
    void whatIsWrittenIntoRowsOfATensorIsNotKept() {
        String text = """
                for i in range(n):
                    tile = read(i)
                    tile[0] += 5.0
                    mosaic[i:i + 1] = tile
                    clear.append(tile)
                """;
        assertEquals(line(text, "clear.append"), kept(text, false, frame(text, "read(i)", MODULE)));
    }

    @Test
    void whoHandsItToWhatPutsItAwayIsToldBesideThat() {
        String text = """
                def log(name, value):
                    values[name].append(value)

                for x in batches:
                    loss = model(x)
                    log("loss", loss)
                """;
        assertEquals(List.of(line(text, "values[name]").orElseThrow(), line(text, "log(\"loss\"").orElseThrow()),
                lines(text).kept(List.of(frame(text, "model(x)", MODULE)), 0, false));
    }

    @Test
    void aScheduleIsAListOfNumbersThatRiseAndNoModelsLayers() {
        String text = """
                channels = (64, 128, 256, 512)
                class Net(nn.Module):
                    def __init__(self, sizes=(8, 16, 64)):
                        pass
                milestones = [30, 60, 90]
                seen = [4, 4, 4]
                lengths = (128, 256, 2048)
                """;
        assertEquals(line(text, "lengths ="), lines(text).schedule());
    }

    @Test
    void howLargeAModelIsStandsInADefaultOrInAConstantThatItsLineReads() {
        String text = """
                WIDTH = 4096
                def judge(hidden=1536, layers=24):
                    return Judge(hidden, layers)
                model = nn.Linear(WIDTH, WIDTH)
                large = judge()
                """;
        assertEquals(line(text, "def judge"),
                lines(text).sized(List.of(frame(text, "return Judge", "judge"), frame(text, "large =", MODULE))));
        assertEquals(line(text, "WIDTH = 4096"), lines(text).sized(List.of(frame(text, "model =", MODULE))));
    }

    @Test
    void someOfManyAreChosenByAConditionOrByEverySoMany() {
        String every = """
                means = [c.mean() for c in crops[::50]]
                rows = block[::7].sum()
                kept = crops[::every]
                """;
        assertEquals(line(every, "kept ="), lines(every).chosen());
        String below = """
                def best(pool, cut):
                    return [c for e, c in pool if e < cut]
                """;
        assertEquals(line(below, "return"), lines(below).chosen());
    }

    @Test
    void anOptimizerIsMadeSeveralTimesWhereSeveralCallItsMaker() {
        String text = """
                def optimizer(params):
                    return torch.optim.Adam(params)
                head = optimizer(net.head.parameters())
                """;
        assertEquals(false, lines(text).isSeveral(Saying.OPTIMIZER_MADE));
        assertEquals(true,
                lines(text + "all = optimizer(net.parameters())\n").isSeveral(Saying.OPTIMIZER_MADE));
    }

    @Test
    void aLoopGivesWhatIsBuiltItsSizeUnlessItOnlyCounts() {
        String text = """
                class Net:
                    def __init__(self, width):
                        for i in (1, 2):
                            self.layer = Linear(width, i)
                for k in range(3):
                    for width in (512, 4096):
                        net = Net(width)
                """;
        Frame inside = frame(text, "self.layer", "__init__");
        assertEquals(line(text, "for width"), lines(text).loopOf(List.of(inside, frame(text, "net =", MODULE))));
        assertEquals(Optional.empty(), lines(text.replace("(512, 4096)", "range(9)"))
                .loopOf(List.of(inside, frame(text, "net =", MODULE))));
    }
}
