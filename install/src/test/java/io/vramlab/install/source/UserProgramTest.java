package io.vramlab.install.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.vramlab.memory.Frame;

class UserProgramTest {

    private static final String CATCH = "try:\n    run()\nexcept ValueError as error:\n    ";

    @Test
    void anErrorThatIsPutAwayKeepsItsFramesAndItsTextDoesNot() {
        assertTrue(Sources.program(CATCH + "failed.append((job, error))\n").keepsErrors());
        assertTrue(Sources.program(CATCH + "last = error\n").keepsErrors());
        assertFalse(Sources.program(CATCH + "failed.append(str(error))\n").keepsErrors());
        assertFalse(Sources.program(CATCH + "print(error)\n").keepsErrors());
        assertFalse(Sources.program(CATCH + "raise RuntimeError() from error\n").keepsErrors());
    }

    @Test
    void whatIsTriedAgainWhereItsErrorWasCaughtIsToldAndWhatIsTriedAfterwardsIsNot() {
        assertTrue(Sources.program("try:\n    fit(64)\nexcept RuntimeError:\n    fit(32)\n").retriesWhereCaught());
        assertTrue(Sources.program("""
                def fit(batch):
                    try:
                        step(batch)
                    except torch.OutOfMemoryError:
                        return fit(batch // 2)
                """).retriesWhereCaught());
        assertFalse(Sources.program("""
                try:
                    fit(64)
                except RuntimeError:
                    failed = True
                    print("too large")
                if failed:
                    fit(32)
                """).retriesWhereCaught());
    }

    @Test
    void aValueThatACallIsHandedIsThereWhileTheNewOneIsMadeAndASumsIsNot() {
        String text = """
                def scaled(grid):
                    return grid * 2

                grid = scaled(grid)
                total = total + scaled(other)
                """;
        UserProgram program = Sources.program(text);
        Frame within = Sources.frame(text, "return grid", "scaled");
        assertTrue(program.isOfItself(List.of(within, Sources.frame(text, "grid = scaled", "<module>"))));
        assertFalse(program.isOfItself(List.of(within, Sources.frame(text, "total =", "<module>"))));
    }

    @Test
    void whatALoopComputesAnewHasTheOldOneBesideItUnlessThatIsLetGoOf() {
        String text = """
                class Table:
                    pass

                for epoch in range(3):
                    data = Table(9)
                for epoch in range(3):
                    rows = Table(8)
                    del rows
                for users in reader:
                    scores = users @ items.t()
                once = users @ items.t()
                """;
        UserProgram program = Sources.program(text);
        assertTrue(program.isMadeAgain(List.of(Sources.frame(text, "data =", "<module>"))));
        assertFalse(program.isMadeAgain(List.of(Sources.frame(text, "rows =", "<module>"))));
        assertTrue(program.isMadeAgain(List.of(Sources.frame(text, "scores =", "<module>"))));
        assertFalse(program.isMadeAgain(List.of(Sources.frame(text, "once =", "<module>"))));
    }

    @Test
    void anOptimizerThatIsHandedAModelsWeightsIsNoModel() {
        UserProgram program = Sources.program("""
                step_size = SGD(model.parameters(), lr=0.1)
                rate = models.resnet18().cuda()
                """);
        assertFalse(program.callsModel(new Statement(0, 1, 1, 0, "step_size(x)", -1)));
        assertTrue(program.callsModel(new Statement(0, 1, 1, 0, "rate(x)", -1)));
    }

    @Test
    void ofAListOfSizesOnSeveralLinesTheOneWithTheLargestIsTold() {
        String text = """
                SCHEDULE = [  # (pixels of 9999, steps)
                    (96, 40),
                    (384, 8),
                    (128, 20),
                ]
                for size, steps in SCHEDULE:
                    y = net(torch.randn(4, 3, size, size))
                """;
        assertEquals("train.py:3", new SourceLines(Sources.program(text))
                .varied(List.of(Sources.frame(text, "y = net", "<module>")), 0).orElseThrow());
    }

    @Test
    void eachCallOfAFunctionThatCallsAModelIsATurnOfItsOwn() {
        UserProgram program = Sources.program("""
                def criterion(model, x):
                    return model(x).mean()

                for x in train:
                    loss = criterion(model, x)
                    loss.backward()
                for x in held_out:
                    losses.append(criterion(model, x))
                """);
        assertTrue(program.turns().stream().anyMatch(turn -> turn.role() == Turn.Role.STEP));
        assertTrue(program.turns().contains(new Turn(Turn.Role.LOOSE, new Fate(true, false, false))));
    }

    @Test
    void aNameThatAModuleIsMadeUnderIsCalledAsAModel() {
        UserProgram program = Sources.program("""
                class Tower(nn.Module):
                    pass

                tower = Tower().cuda()
                for x in data:
                    kept.append(tower(x))
                    print(other(x))
                """);
        assertEquals(List.of(new Turn(Turn.Role.LOOSE, new Fate(true, false, false))), program.turns());
    }

    @Test
    void scoresOfQueriesAndKeysAreAnAttentionAndALossIsNot() {
        String text = """
                def forward(self, x):
                    scores = self.q(x) @ self.k(x).transpose(1, 2)
                    return scores.softmax(-1) @ self.v(x)

                def loss(a, b):
                    return F.cross_entropy(a @ b.T, labels)
                """;
        UserProgram program = Sources.program(text);
        assertTrue(program.hasAttention());
        assertTrue(program.isAttention(new Frame(Sources.FILE, 2, "forward")));
        assertFalse(program.isAttention(new Frame(Sources.FILE, 6, "loss")));
    }

    @Test
    void aFileInWhoseLinesOtherFunctionsStandIsNotWhatRan() {
        Map<String, PythonFile> files = Map.of("a/train.py", PythonFile.of(List.of("def fit():", "    step()")));
        assertEquals("step()", UserProgram.of(files, Set.of(new Frame("a/train.py", 2, "fit"))).line("train.py:2"));
        UserProgram changed = UserProgram.of(files, Set.of(new Frame("a/train.py", 2, "evaluate")));
        assertEquals("", changed.line("train.py:2"));
        assertEquals(List.of("train.py"), changed.changed());
        assertTrue(changed.isUnknown());
        assertEquals(List.of("train.py"),
                UserProgram.of(files, Set.of(new Frame("a/train.py", 9, "fit"))).changed());
    }

    @Test
    void whatTwoFilesOfOneNameSayIsNotTold() {
        PythonFile file = PythonFile.of(List.of("x = 1"));
        assertEquals("", UserProgram.of(Map.of("a/train.py", file, "b/train.py", file), Set.of()).line("train.py:1"));
    }

    @Test
    void aLongLineIsCut() {
        String line = Sources.program("x = [" + "1, ".repeat(100) + "]").line(Sources.FILE + ":1");
        assertEquals(122, line.length());
    }

    @Test
    void wordsInCommentsAndTextsSayNothing() {
        UserProgram program = Sources
                .program("# torch.load(x)\nprint('call empty_cache() then')\nm = torch.load(f, map_location='cpu')\n");
        assertTrue(program.says(Saying.LOAD));
        assertFalse(program.says(Saying.LOAD_TO_GPU));
        assertFalse(program.says(Saying.EMPTY));
    }

    @Test
    void wordsOfLibrariesSayWhatTheyDo() {
        assertTrue(Sources.program("out = model.generate(ids, max_new_tokens=64)\n").says(Saying.JOIN));
        assertTrue(Sources.program("optimizer = Adafactor(model.parameters())\n").says(Saying.STATE));
        assertTrue(Sources.program("model = torch.compile(model, mode=\"max-autotune\")\n").says(Saying.CAPTURE));
        assertTrue(Sources.program("futures = [pool.submit(run, job) for job in jobs]\n").says(Saying.CATCH));
        assertTrue(Sources.program("loss.backward(retain_graph=step < 3)\n").says(Saying.RETAIN));
        assertFalse(Sources.program("loss.backward(retain_graph=False)\n").says(Saying.RETAIN));
        assertTrue(Sources.program("model = SwinModel(config)\n").says(Saying.ATTENTION));
        assertFalse(Sources.program("clip_grad_norm_(net.parameters(), 1.0)\n").says(Saying.ATTENTION));
    }
}
