package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.memory.Allocators;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Modules and optimizers go when CPython would let them go, and never before: each mark tells how many tensors of 512 bytes
 * there are, of which a {@code part()} has one and a {@code Net} two.
 */
class WovenOwnersTest extends CheckedWovenCase {

    private static final String MAKE = """
            static Tensor one() { return Tensor.ones(128); }
            static Linear part() { return new Linear(128, 1, false); }
            static io.vramlab.optim.SGD sgd(List<Parameter> all) { return new io.vramlab.optim.SGD(all, 0.1).momentum(0.9); }
            static class Net extends io.vramlab.nn.Module {
                io.vramlab.nn.Module inner = part();
                Parameter own = new Parameter(one());
                public Tensor forward(Tensor x) { return inner.call(x.mul(own)); }
            }
            """;

    WovenOwnersTest() {
        super(MAKE);
    }

    @Test
    void aModelThatIsDroppedTakesItsParametersWithIt() throws Exception {
        marks("", "var net = new Net(); mark(); net = null; mark();", 2, 0);
        marks("", "var net = new Sequential(part(), new Net(), new ReLU()); mark(); net = null; mark();", 3, 0);
    }

    @Test
    void aModelThatIsAssignedAgainGoesAfterTheNewOneIsMade() throws Exception {
        marks("", "var net = new Net(); net = new Net(); mark();", 2);
        assertEquals(4, Allocators.of(device).stats().get("allocated_bytes.all.peak") / 512);
    }

    @Test
    void aModelOfAMethodGoesWithTheMethod() throws Exception {
        marks("static void inside() { var net = new Net(); mark(); }", "inside(); mark();", 2, 0);
    }

    @Test
    void whatIsMadeAndCalledWithoutANameGoesAtOnce() throws Exception {
        marks("", "try (var off = new io.vramlab.autograd.NoGrad()) { part().call(one()); mark(); }", 0);
    }

    @Test
    void anOptimizerKeepsTheParametersAndTheyGoWithIt() throws Exception {
        // weights, gradients, momentum
        marks("", "var net = new Net(); var opt = sgd(net.parameters()); net.call(one()).sum().backward(); mark();"
                + " opt.step(); mark(); net = null; mark(); opt = null; mark();", 4, 6, 6, 0);
    }

    @Test
    void theModelKeepsWhatItsOptimizerHeld() throws Exception {
        marks("", "var net = new Net(); var opt = sgd(net.parameters()); net.call(one()).sum().backward(); opt.step();"
                + " mark(); opt = null; mark(); net.call(one()); mark(); net = null; mark();", 6, 4, 4, 0);
    }

    @Test
    void aScheduleKeepsItsOptimizer() throws Exception {
        marks("",
                "var opt = sgd(part().parameters()); var plan = new io.vramlab.optim.StepLR(opt, 2); opt = null; mark();"
                        + " plan.step(); plan = null; mark();",
                1, 0);
    }

    @Test
    void aGraphKeepsTheParametersThatItNeeds() throws Exception {
        // what is added to makes no use of the weight; what it is multiplied by does
        marks("",
                "var net = new Net(); var x = one().requiresGrad_(true); var y = net.call(x).sum(); net = null; y.backward();"
                        + " y = null; mark(); x.grad().sum(); x = null; mark();",
                2, 0);
    }

    @Test
    void aParameterInAVariableOutlivesItsModule() throws Exception {
        marks("",
                "var net = new Net(); var own = net.own; var weight = ((Linear) net.inner).weight; net = null; mark();"
                        + " own.mul(weight); own = null; mark(); weight.add(1); weight = null; mark();",
                2, 1, 0);
    }

    @Test
    void aListOfParametersKeepsThem() throws Exception {
        marks("",
                "var net = new Net(); var all = net.parameters(); net = null; mark(); all.get(0).add(all.get(1)); mark();"
                        + " all = null; mark();",
                2, 2, 0);
        marks("",
                "var net = new Net(); var all = new ArrayList<Tensor>(net.namedParameters().values()); net = null; mark();"
                        + " all.remove(0); mark(); all.get(0).add(1); all.clear(); mark();",
                2, 1, 0);
    }

    @Test
    void goingOverTheParametersKeepsNothing() throws Exception {
        marks("static void over(io.vramlab.nn.Module net) { for (var p : net.parameters()) { p.grad(null); }"
                + " net.namedParameters().forEach((name, p) -> p.numel()); net.modules().size();"
                + " net.parameters().stream().mapToLong(Tensor::numel).sum(); }",
                "var net = new Net(); over(net); net = null; mark();", 0);
    }

    @Test
    void stateThatWasTakenStaysAndGoes() throws Exception {
        marks("",
                "var opt = sgd(part().parameters()); opt.paramGroups().get(0).params().get(0).sum().backward(); opt.step();"
                        + " mark(); var state = opt.stateDict(); opt = null; mark(); state.toString(); state = null; mark();",
                3, 1, 0);
        marks("", "var net = new Net(); var best = net.stateDict(); net = null; mark();"
                + " for (var each : best.values()) { each.add(1); } best = null; mark();", 2, 1);
    }

    @Test
    void aStateThatWasTakenShowsWhatTheOptimizerHasNow() throws Exception {
        marks("@SuppressWarnings(\"unchecked\") static Map<String, Object> first(Map<String, Object> state) {"
                + " return (Map<String, Object>) ((Map<Integer, Object>) state.get(\"state\")).get(0); }",
                "var opt = sgd(part().parameters()); var p = opt.paramGroups().get(0).params().get(0); p.sum().backward();"
                        + " opt.step(); var kept = first(opt.stateDict()); mark(); opt.state(p).set(\"momentum_buffer\", one());"
                        + " mark(); p = null; opt = null; mark(); for (var each : kept.entrySet()) {"
                        + " if (each.getValue() instanceof Tensor t) { t.add(1); } } for (var each : kept.values()) {"
                        + " if (each instanceof Tensor t) { t.add(1); } } mark(); kept = null; mark();",
                3, 3, 1, 1, 1);
    }

    @Test
    void aStateOfAModuleIsNoneOfItsParameters() throws Exception {
        // what is computed from a detached tensor keeps no graph, and so no model
        marks("",
                "var net = new Net(); var copy = net.stateDict().get(\"own\").clone(); net = null; mark(); copy = null; mark();",
                1,
                0);
        // nor has it a gradient, which goes with the model: two parameters and as many gradients are there before
        marks("",
                "var net = new Net(); net.call(one()).sum().backward(); mark(); var best = net.stateDict(); net = null; mark();"
                        + " best.get(\"own\").add(1); best = null; mark();",
                4, 2, 0);
        marks("",
                "var net = new Net(); var own = net.stateDict().get(\"own\"); net = null; mark(); own.add(1); own = null; mark();",
                1, 0);
        marks("",
                "var net = new Net(); var all = net.stateDict(\"\", true); var own = all.get(\"own\"); all = null; mark();"
                        + " if (own != net.own) { throw new IllegalStateException(); } own = null; net = null; mark();",
                2, 0);
    }

    @Test
    void aLoadedStateGoesWithTheLastThatHasIt() throws Exception {
        marks("",
                "var net = new Net(); var other = new Net(); other.loadStateDict(net.stateDict()); mark(); var best = net.stateDict();"
                        + " other.loadStateDict(best, true, true); mark(); net = null; mark(); best = null; mark();"
                        + " other.call(one()); other = null; mark();",
                4, 2, 2, 2, 0);
    }

    @Test
    void aStateThatAHookSawIsTheCollectors() throws Exception {
        marks("static Map<String, Tensor> seen;",
                "var net = new Net(); net.registerStateDictPostHook((m, state, prefix) -> seen = state); net.stateDict(); net = null;"
                        + " mark(); seen.get(\"own\").add(1); seen = null; mark();",
                2, 2);
    }

    @Test
    void whatIsReplacedInsideOfWhatTheLibraryHasMadeGoes() throws Exception {
        marks("",
                "var net = new Sequential(part(), part()); var copy = io.vramlab.nn.Module.deepCopy(net); mark();"
                        + " copy.set(0, new Identity()); mark(); var head = copy.get(1); copy = null; mark(); head.call(one());"
                        + " head = null; mark();",
                4, 3, 3, 2);
    }

    @Test
    void whatIsReplacedInAModelGoes() throws Exception {
        marks("", "var net = new Net(); net.inner = new Identity(); mark(); net = null; mark();", 1, 0);
        marks("",
                "var net = new Sequential(part(), new Net()); net.set(1, new Identity()); mark(); var head = net.pop(0);"
                        + " net = null; mark(); head.call(one()); head = null; mark();",
                1, 1, 0);
    }

    @Test
    void weightsOfTheLibrarysLayersCanBeAssigned() throws Exception {
        marks("static class Mine extends Linear { Mine() { super(128, 1, false); } public Tensor forward(Tensor x) {"
                + " var old = weight; weight = new Parameter(Tensor.ones(1, 128)); return Functional.linear(x, old); } }",
                "try (var off = new io.vramlab.autograd.NoGrad()) { var net = new Mine(); net.call(Tensor.ones(1, 128)); mark();"
                        + " net.call(Tensor.ones(1, 128)); mark(); net = null; mark(); }",
                1, 1, 0);
        marks("",
                "var a = part(); var b = part(); mark(); b.weight = a.weight; mark(); a = null; mark(); b.call(Tensor.ones(1, 128));"
                        + " var kept = b.weight; b.weight = null; mark(); kept.add(1); kept = null; mark();",
                2, 1, 1, 1, 0);
    }

    @Test
    void sharedPartsStayUntilTheLastModelGoes() throws Exception {
        marks("",
                "var shared = part(); var a = new Sequential(shared); var b = new Sequential(shared, part()); shared = null;"
                        + " mark(); a = null; mark(); b.get(0).call(one()); b = null; mark();",
                2, 2, 0);
    }

    @Test
    void aModuleAtWorkStaysThoughItIsTakenOut() throws Exception {
        marks("static Sequential net;\n"
                + "static class Last extends io.vramlab.nn.Module { Parameter own = new Parameter(one());"
                + " public Tensor forward(Tensor x) { net.pop(0); net = null; mark(); return x.mul(own); } }",
                "net = new Sequential(new Last()); var y = net.call(one()); mark(); y = null; mark();", 2, 3, 1);
    }

    @Test
    void membersOneAfterTheOtherKeepTheirList() throws Exception {
        marks("", "var all = new ModuleList(part(), part()); var each = all.iterator(); all = null; mark();"
                + " each.next().call(one()); each.next().call(one()); mark(); each.hasNext(); mark();", 2, 2, 0);
        marks("",
                "var all = new ModuleList(part(), part()); for (var each : all) { all = null; each.call(one()); mark(); }"
                        + " mark();",
                2, 2, 1);
    }

    @Test
    void aModelInACollectionAFieldOrALambdaGoesWithIt() throws Exception {
        marks("record Both(io.vramlab.nn.Module net, io.vramlab.optim.Optimizer opt) { }",
                "var net = new Net(); var both = new Both(net, sgd(net.parameters())); net = null; mark(); both = null; mark();"
                        + " var list = new ArrayList<>(List.of(new Net(), part())); mark(); list.clear(); mark();"
                        + " var map = new HashMap<String, io.vramlab.nn.Module>(); map.put(\"a\", part()); mark();"
                        + " map.remove(\"a\"); mark();",
                2, 0, 3, 0, 1, 0);
        marks("static UnaryOperator<Tensor> calling(io.vramlab.nn.Module net) { return x -> net.call(x); }",
                "var f = calling(part()); mark(); f.apply(one()); f = null; mark();", 1, 0);
    }

    @Test
    void anExceptionKeepsTheModelsOfTheMethodsThatItLeaves() throws Exception {
        marks("static void fails() { var net = new Net(); throw new IllegalStateException(\"meant\"); }",
                "try { fails(); } catch (IllegalStateException e) { mark(); } mark();", 2, 0);
    }

    @Test
    void whatTheConstructorOfASubclassIsGivenStays() throws Exception {
        marks("static class Line extends Sequential { Line(io.vramlab.nn.Module... all) { super(all); } }\n"
                + "static class More extends Line { More(io.vramlab.nn.Module one) { super(one, part()); } }",
                "var net = new More(part()); mark(); net.get(0).call(one()); net.get(1).call(one()); net = null; mark();",
                2, 0);
    }

    @Test
    void whatOtherCodeMayHoldIsTheCollectors() throws Exception {
        marks("static final LinkedList<Object> others = new LinkedList<>();",
                "var net = new Net(); others.add(net); net = null; mark(); ((Net) others.get(0)).call(one());"
                        + " var all = new Net().parameters(); others.addAll(all); all = null; mark();",
                2, 4);
        marks("static final LinkedList<Object> others = new LinkedList<>();",
                "var net = new Net(); others.add(net); var inner = net.inner; net.inner = new Identity(); inner = null; mark();",
                4 + 2);
    }

    @Test
    void aModuleThatTheGraphMayCallIsTheCollectors() throws Exception {
        marks("",
                "var net = new Net(); net.registerFullBackwardHook((m, in, out) -> null); var y = net.call(one()).sum();"
                        + " net = null; y.backward(); mark();",
                5);
    }

    @Test
    void aCircleOfModulesIsTheCollectorsAsInPython() throws Exception {
        marks("static class Child extends io.vramlab.nn.Module { Object parent; public Tensor forward(Tensor x) { return x; } }",
                "var net = new Net(); var child = new Child(); child.parent = net; net.inner = child; child = null; net = null;"
                        + " mark();",
                1);
    }

    @Test
    void aDeepCopyHoldsWhatItsFieldsHold() throws Exception {
        marks("", "var net = new Net(); var copy = io.vramlab.nn.Module.deepCopy(net); net = null; mark();"
                + " var inner = copy.inner; copy.inner = new Identity(); mark(); inner.call(one()); inner = null; mark();"
                + " copy = null; mark();", 2, 2, 1, 0);
        marks("record Shared(Tensor one) { }\n"
                + "static class Has extends io.vramlab.nn.Module { Shared shared = new Shared(one());"
                + " public Tensor forward(Tensor x) { return x.add(shared.one()); } }",
                "var net = new Has(); var copy = io.vramlab.nn.Module.deepCopy(net); copy = null; mark(); net.call(one());"
                        + " net = null; mark();",
                1, 0);
    }

    @Test
    void aTensorThatACopiedFieldHoldsGoesWithTheCopy() throws Exception {
        marks("static class Seen extends io.vramlab.nn.Module { Tensor seen = one(); Tensor[] all = {one()};"
                + " public Tensor forward(Tensor x) { return x.add(seen).add(all[0]); } }",
                "var net = new Seen(); var copy = io.vramlab.nn.Module.deepCopy(net); mark(); copy.seen = null; mark();"
                        + " copy = null; mark(); net.call(one()); net = null; mark();",
                4, 3, 3, 1);
    }

    @Test
    void partsOfACheckpointKeepTheirModulesForBackward() throws Exception {
        marks("static Tensor inParts(Sequential model, Tensor x) { return io.vramlab.autograd.Checkpoint.sequential("
                + "model.children().stream().map(m -> (java.util.function.UnaryOperator<Tensor>) m::call).toList(), 2, x); }",
                "inParts(new Sequential(new Linear(1, 1), new ReLU()), Tensor.ones(1, 1)).sum().backward(); System.gc();");
        marks("", "var x = Tensor.ones(1, 128).requiresGrad_(true);"
                + " var y = io.vramlab.autograd.Checkpoint.sequential(List.<UnaryOperator<Tensor>>of(new Net()::call, Tensor::relu,"
                + " Tensor::exp), 2, x); mark(); y.sum().backward(); y = null; mark();", 5, 2);
    }

    @Test
    void whatACheckpointCallsGoesWithItsGraph() throws Exception {
        marks("static Tensor later(io.vramlab.nn.Module net, Tensor x) {"
                + " return io.vramlab.autograd.Checkpoint.checkpoint(t -> net.call(t), x).sum(); }",
                "var net = new Net(); var y = later(net, Tensor.ones(1, 128)); net = null; mark(); y.backward(); mark(); y = null; mark();"
                        + " var other = new Net(); y = later(other, Tensor.ones(1, 128)); mark(); y = null; mark(); other = null; mark();",
                4, 5, 0, 4, 2, 0);
        marks("",
                "var net = new Net(); var y = io.vramlab.autograd.Checkpoint.checkpoint(net::call, Tensor.ones(1, 128)); net = null; mark();"
                        + " y = null; mark(); var other = new Net(); mark(); other = null; mark();",
                4, 0, 2, 0);
    }

    @Test
    void aKeptStateOutlivesTheOneThatIsLoaded() throws Exception {
        marks("",
                "var opt = sgd(part().parameters()); opt.paramGroups().get(0).params().get(0).sum().backward(); opt.step();"
                        + " var kept = opt.stateDict(); opt.loadStateDict(opt.stateDict()); mark(); opt.loadStateDict(kept);"
                        + " kept = null; opt.step(); mark(); opt = null; mark();",
                3, 3, 0);
    }

    @Test
    void anotherThreadKeepsWhatItUses() throws Exception {
        marks("",
                "var net = new Net(); var same = net; var t = new Thread(() -> { same.call(one()); }); net = null; t.start();"
                        + " t.join(); mark();",
                2);
    }

    @Test
    void withoutCountingTheCollectorDecides() throws Exception {
        Lifetimes.count(false);
        marks("", "var net = new Net(); net = null; mark();", 2);
        Lifetimes.count(true);
    }
}
