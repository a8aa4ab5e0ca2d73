package io.vramlab.install.source;

import static io.vramlab.install.source.Sources.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.vramlab.install.source.Turn.Role;

class TurnTest {

    private static final String MODULE = "<module>";

    private static Turn turn(String text, String line) {
        return Sources.program(text).turn(List.of(frame(text, line, MODULE)), 0);
    }

    @Test
    void aPassWithItsOwnBackwardPassIsAStep() {
        assertEquals(Role.STEP, turn("""
                for x in data:
                    loss = model(x)
                    scaler.scale(loss).backward()
                    total += loss.item()
                """, "model(x)").role());
    }

    @Test
    void aBackwardPassInAFunctionOfTheProgramIsOneToo() {
        assertEquals(Role.STEP, turn("""
                def learn(loss):
                    loss.backward()

                for x in data:
                    learn(model(x))
                """, "learn(model(x))").role());
    }

    @Test
    void passesBeforeOneBackwardPassForAllPileUp() {
        assertEquals(Role.PILE, turn("""
                for step in range(10):
                    loss = 0
                    for x in batches:
                        loss = loss + model(x) / 4
                    optimizer.zero_grad()
                    loss.backward()
                """, "model(x)").role());
    }

    @Test
    void aFunctionWhoseNameEndsAsALoopsOwnNameIsNotCalledByThatName() {
        // cross_entropy( ends as y( does, and y is no layer that the loop calls
        assertEquals(Role.PILE, turn("""
                for step in range(10):
                    total = 0
                    for x, y in batches:
                        total = total + cross_entropy(model(x), y)
                    total.backward()
                """, "model(x)").role());
    }

    @Test
    void soDoThoseWhoseResultsAreReturnedToWhereItRuns() {
        String text = """
                def episode(policy):
                    logs = []
                    while not done:
                        p = policy(obs)
                        logs.append(p.log_prob(p.sample()))
                    return logs

                logs = episode(policy)
                loss = -torch.stack(logs).mean()
                loss.backward()
                """;
        assertEquals(Role.PILE, Sources.program(text).turn(
                List.of(frame(text, "policy(obs)", "episode"), frame(text, "= episode", MODULE)), 0).role());
    }

    @Test
    void andThoseThatAreHandedToAFunctionThatRunsOneForAllButNotOneForEach() {
        String text = """
                def rollout():
                    values = []
                    for _ in range(9):
                        values.append(critic(obs))
                    return values

                def update(values):
                    loss = sum(values)
                    loss.backward()

                def each(values):
                    for value in values:
                        value.backward()

                update(rollout())
                each(rollout())
                """;
        UserProgram program = Sources.program(text);
        assertEquals(Role.PILE, program.turn(
                List.of(frame(text, "critic(obs)", "rollout"), frame(text, "update(rollout())", MODULE)), 0).role());
        assertEquals(Role.LOOSE, program.turn(
                List.of(frame(text, "critic(obs)", "rollout"), frame(text, "each(rollout())", MODULE)), 0).role());
    }

    @Test
    void whatIsAddedUpUntilABackwardPassNowAndThenPilesUpAndGradientsThatAreAddedUpDoNot() {
        assertEquals(Role.PILE, turn("""
                for i, x in enumerate(data):
                    loss = model(x)
                    total = total + loss
                    if (i + 1) % 16 == 0:
                        total.backward()
                        total = 0
                """, "model(x)").role());
        assertEquals(Role.STEP, turn("""
                for i, x in enumerate(data):
                    loss = model(x) / 16
                    loss.backward()
                    if (i + 1) % 16 == 0:
                        optimizer.step()
                """, "model(x)").role());
    }

    @Test
    void aListOfPassesPilesUpAndAListOfLossesOfOnePassDoesNot() {
        assertEquals(Role.PILE, turn("""
                for step in range(9):
                    losses = [criterion(net(x)) for x in batches]
                    sum(losses).backward()
                """, "net(x)").role());
        assertEquals(Role.STEP, turn("""
                for step in range(9):
                    losses = [mse(a, b) for a, b in zip(features, targets)]
                    sum(losses).backward()
                """, "mse(a, b)").role());
    }

    @Test
    void withoutABackwardPassItIsLooseUnlessGradientsAreOff() {
        assertEquals(Role.LOOSE, turn("""
                for x in data:
                    total += criterion(model(x))
                """, "model(x)").role());
        assertEquals(Role.WITHOUT_GRADIENT, turn("""
                with torch.no_grad():
                    for x in data:
                        out.append(model(x))
                """, "model(x)").role());
        String text = """
                @torch.inference_mode()
                def validate():
                    for x in data:
                        out.append(model(x))
                """;
        assertEquals(Role.WITHOUT_GRADIENT,
                Sources.program(text).turn(List.of(frame(text, "model(x)", "validate")), 0).role());
    }

    @Test
    void aLoopOverLayersRepeatsNoPass() {
        assertEquals(Role.ONCE, turn("""
                for layer in layers:
                    x = layer(x)
                """, "layer(x)").role());
        assertEquals(Role.STEP, turn("""
                for step in range(9):
                    loss = sum(f(layer(x)) for layer in layers)
                    loss.backward()
                """, "layer(x)").role());
    }

    @Test
    void whatIsAddedToIsKeptAndWhatIsCutHasNoGraph() {
        assertTrue(turn("for x in d:\n    y = model(x)\n    seen.append(y)\n", "model(x)").fate().keeps());
        assertTrue(turn("for x in d:\n    self.out[i] = model(x)\n", "model(x)").fate().keeps());
        assertTrue(turn("for x in d:\n    total = total + model(x)\n", "model(x)").fate().keeps());
        Fate cut = turn("for x in d:\n    loss = model(x)\n    seen.append(loss.item())\n", "model(x)").fate();
        assertTrue(cut.cuts());
        assertFalse(cut.keeps());
        assertFalse(turn("for x in d:\n    y = model(x)\n    print(y)\n", "model(x)").fate().keeps());
    }

    @Test
    void theNextTurnBeginsWithWhatIsCarried() {
        assertTrue(turn("for x in d:\n    y, state = model(x, state)\n", "model(x, state)").fate().carries());
        assertFalse(turn("for x in d:\n    y, state = model(x, state)\n    state = state.detach()\n", "model(x, state)")
                .fate().carries());
    }

    @Test
    void ofAFileThatIsNotThereNothingIsKnown() {
        assertEquals(Role.UNKNOWN, UserProgram.NONE.turn(List.of(frame("model(x)", "model", MODULE)), 0).role());
    }

    @Test
    void aFunctionThatAnOptimizersStepCallsHasItsOwnBackwardPass() {
        String text = """
                def closure():
                    loss = model(x)
                    loss.backward()
                    return loss

                for x in data:
                    optimizer.step(closure)
                """;
        assertEquals(Role.STEP, Sources.program(text)
                .turn(List.of(frame(text, "model(x)", "closure"), frame(text, "step(closure)", MODULE)), 0).role());
    }

    @Test
    void whatCallsPutIntoAnAttributePilesUpForABackwardPassThatTakesItUpAndForNoOther() {
        String agent = """
                class Agent:
                    def act(self, x):
                        logit = self.policy(x)
                        self.logits.append(logit)
                        return logit.argmax()

                    def learn(self):
                        loss = sum(self.%s)
                        loss.backward()

                for episode in range(9):
                    while not done:
                        x = env.step(agent.act(x))
                    agent.learn()
                """;
        assertEquals(Role.PILE, acting(agent.formatted("logits")));
        assertEquals(Role.LOOSE, acting(agent.formatted("rewards")));
    }

    private static Role acting(String text) {
        return Sources.program(text)
                .turn(List.of(frame(text, "self.policy(x)", "act"), frame(text, "agent.act", MODULE)), 0).role();
    }

    @Test
    void whereAFunctionSwitchedGradientsOffOrALibraryDoesThereAreNone() {
        String off = """
                def evaluate(model):
                    torch.set_grad_enabled(False)
                    for x in data:
                        outputs.append(model(x))
                """;
        assertEquals(Role.WITHOUT_GRADIENT,
                Sources.program(off).turn(List.of(frame(off, "model(x)", "evaluate")), 0).role());
        String on = off.replace("    for x", "    torch.set_grad_enabled(True)\n    for x");
        assertEquals(Role.LOOSE, Sources.program(on).turn(List.of(frame(on, "model(x)", "evaluate")), 0).role());
        String generated = "for x in data:\n    texts.append(model.generate(x))\n";
        assertEquals(Role.WITHOUT_GRADIENT, turn(generated, "generate").role());
        String own = generated + "def generate(self, x):\n    return self.head(x)\n";
        assertEquals(Role.LOOSE, turn(own, "texts").role());
    }

    @Test
    void whatAFunctionOfTheProgramAddsToSomethingIsKeptAndWhatItCutsIsNot() {
        String program = """
                class Meter:
                    def observe(self, value):
                        kept = value%s
                        self.values.append(kept)

                for x in data:
                    out = model(x)
                    meter.observe(out)
                """;
        assertEquals(new Fate(true, false, false), turn(program.formatted(""), "model(x)").fate());
        assertEquals(new Fate(false, true, false), turn(program.formatted(".detach()"), "model(x)").fate());
    }

    @Test
    void anAttributeThatIsCalledItemCutsNoGraph() {
        assertEquals(new Fate(true, false, false), turn("""
                for x in data:
                    scores.append(model(x) @ towers.item.weight.T)
                """, "model(x)").fate());
    }
}
