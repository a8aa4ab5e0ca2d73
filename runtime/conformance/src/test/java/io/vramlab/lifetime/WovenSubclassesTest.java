package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Classes that extend the library's modules let go of a tensor when CPython would; see {@link WovenTest}. */
class WovenSubclassesTest extends CheckedWovenCase {

    private static final String MAKE = "static Tensor one() { return Tensor.ones(128); }\n";
    private static final String OFF = "try (var off = new io.vramlab.autograd.NoGrad()) {";

    WovenSubclassesTest() {
        super(MAKE);
    }

    @Test
    void aForwardOfOnesOwnMayCallTheLibrarys() throws Exception {
        // weight, x, y; then without y. The product and super's result are unnamed, and go within forward
        marks("static class My extends Linear { My() { super(128, 1, false); }"
                + " public Tensor forward(Tensor x) { return super.forward(x.mul(2)).add(1); } }",
                OFF + "var net = new My(); var x = one(); var y = net.call(x); mark(); y = null; mark();"
                        + " y = net.forward(x.add(1)); mark(); y = null; mark(); }",
                3, 2, 3, 2);
    }

    @Test
    void aForwardThatIsInheritedFromTheLibraryIsTheLibrarys() throws Exception {
        // weight and y, then weight: the argument is unnamed
        marks("static class My extends Linear { My() { super(128, 1, false); } }",
                OFF + "var net = new My(); var y = net.call(one()); mark(); y = null; mark(); }", 2, 1);
    }

    @Test
    void aForwardThatIsInheritedMayBeCalledByItsName() throws Exception {
        marks("static class My extends Linear { My() { super(128, 1, false); } }",
                OFF + "var net = new My(); var y = net.forward(one()); mark(); y = null; mark(); }", 2, 1);
    }

    @Test
    void aSequentialOfOnesOwnInsideAnotherLetsGoOfWhatIsBetween() throws Exception {
        // x and y, then x; two at a time on the way and x
        marks("static class Two extends Sequential { Two() { super(new ReLU(), new Tanh()); } }\n"
                + "static class Own extends Sequential { Own() { super(new ReLU(), new Two()); }"
                + " public Tensor forward(Tensor x) { return super.forward(x.add(1)); } }",
                OFF + "var net = new Sequential(new Two(), new Own()); var x = one(); var y = net.call(x); mark();"
                        + " y = null; mark(); }",
                2, 1);
    }

    @Test
    void aLinearWithALowRankUpdateHoldsItsThreeParametersAndItsResult() throws Exception {
        // weight, a, b, x, y; then without y; in training y, and x.a^T, which the second product needs
        marks("static class Lora extends Linear { final Linear a = new Linear(128, 1, false), b = new Linear(1, 1, false);"
                + " Lora() { super(128, 1, false); weight.requiresGrad_(false); }"
                + " public Tensor forward(Tensor x) { return super.forward(x).add(b.call(a.call(x)).mul(2)); } }",
                "var net = new Lora(); var x = one().view(1, 128); " + OFF + "var y = net.call(x); mark(); y = null;"
                        + " mark(); } var z = net.call(x); mark(); z = null; mark();",
                5, 4, 6, 4);
    }

    @Test
    void aCallersMarkIsNotReadByALayerThatTheLibraryCallsNext() throws Exception {
        // x is the caller's; the layer must not let it go
        marks("static class Layer extends io.vramlab.nn.Module {"
                + " public Tensor forward(Tensor x) { return x.mul(2); } }\n"
                + "static class Two extends Sequential { Two() { super(new Layer(), new Layer()); } }",
                OFF + "var net = new Two(); var x = one(); var y = net.forward(x); mark(); y = x.add(1); mark();"
                        + " y = net.forward(one()); mark(); y = null; mark(); }",
                2, 2, 2, 1);
    }

    @Test
    void aModuleThatIsAddedToOnesOwnContainerKeepsItsTensors() throws Exception {
        marks("static class Layer extends io.vramlab.nn.Module { Tensor one = one();"
                + " public Tensor forward(Tensor x) { return x.add(one); } }\n"
                + "static class Mine extends Sequential { }",
                OFF + "var net = new Mine(); net.append(new Layer()); net.add(new Layer()); net.insert(0, new Layer());"
                        + " net.registerModule(\"more\", new Layer()); var y = net.call(one()); mark(); y = null; mark();"
                        + " y = net.forward(one()); mark(); }",
                5, 4, 5);
    }

    @Test
    void aModuleThatIsAddedToTheLibrarysContainerKeepsItsTensors() throws Exception {
        marks("static class Layer extends io.vramlab.nn.Module { Tensor one = one();"
                + " public Tensor forward(Tensor x) { return x.add(one); } }",
                OFF + "var net = new Sequential(); net.append(new Layer()); net.add(new Layer());"
                        + " net.insert(0, new Layer()); net.registerModule(\"more\", new Layer());"
                        + " var y = net.call(one()); mark(); y = null; mark(); y = net.forward(one()); mark(); }",
                5, 4, 5);
    }

    @Test
    void aHookThatOneForgetsKeepsWhatItHasCaptured() throws Exception {
        marks("static class Mine extends Linear { Mine() { super(128, 1, false); } }\n"
                + "static io.vramlab.nn.Module.ForwardPreHook adding(Tensor shift) { return (m, x) -> x.add(shift); }",
                OFF + "var net = new Mine(); var shift = one(); io.vramlab.nn.Module.ForwardPreHook hook ="
                        + " adding(shift); net.registerForwardPreHook(hook); hook = null; shift = null;"
                        + " var y = net.call(one()); mark(); y = null; mark(); }",
                3, 2);
    }

    @Test
    void whatAModuleOfOnesOwnHoldsGoesWithItThoughItWasPutIntoTraining() throws Exception {
        marks("static class Mine extends io.vramlab.nn.Module { Tensor one = one();"
                + " public Tensor forward(Tensor x) { return x.add(one); } }",
                "var net = new Mine(); net.eval(); net.train(); mark(); net = null; mark();", 1, 0);
    }

    @Test
    void aForwardOfOnesOwnIsCalledThroughWhateverTypeItsModuleIsDeclaredAs() throws Exception {
        // weight and x; each result goes at once
        marks("static class My extends Linear { My() { super(128, 1, false); } }\n"
                + "static class Shifted extends My { public Tensor forward(Tensor x) {"
                + " return super.forward(x.mul(2)).add(1); } }\n"
                + "interface Computes { Tensor forward(Tensor x); }\n"
                + "static class Plain extends Linear implements Computes { Plain() { super(128, 1, false); } }",
                OFF + "var x = one(); My my = new Shifted(); my.forward(x.add(1)); my.call(x.add(1)); mark();"
                        + " Linear linear = my; linear.forward(x.add(1)); linear.call(x); mark();"
                        + " io.vramlab.nn.Module module = my; module.forward(x.add(1)); module.call(x); mark();"
                        + " Computes computes = new Plain(); computes.forward(x.add(1)); computes.forward(x); mark(); }",
                2, 2, 2, 3);
    }

    @Test
    void aLossOfOnesOwnReturnsWhatItsCallerCounts() throws Exception {
        marks("static class Scaled extends MSELoss { public Tensor call(Tensor x, Tensor y) {"
                + " return super.call(x.mul(2), y).add(1); } }",
                OFF + "var x = one(); var loss = new Scaled(); var y = loss.call(x, one()); mark(); y = null; mark();"
                        + " Loss some = loss; y = some.call(x, one()); mark(); y = null; mark(); }",
                2, 1, 2, 1);
    }

    @Test
    void aModuleWithHooksMayBeOfAnyClass() throws Exception {
        // weight and what the hook keeps; with y; all goes with each
        marks("static class My extends Linear { My() { super(128, 1, false); } }\n"
                + "static class Shifted extends Linear { Shifted() { super(128, 1, false); }"
                + " public Tensor forward(Tensor x) { return super.forward(x.add(1)); } }\n"
                + "static void hooked(Linear net) { var kept = new ArrayList<Tensor>();"
                + " net.registerForwardPreHook((m, x) -> x.mul(2));"
                + " net.registerForwardHook((m, x, y) -> { kept.add(y.detach()); return null; });"
                + OFF + " var y = net.call(one()); mark(); y = null; mark(); kept.clear(); mark(); } }",
                "hooked(new Linear(128, 1, false)); hooked(new My()); hooked(new Shifted());",
                2, 2, 1, 2, 2, 1, 2, 2, 1);
    }

    @Test
    void trainingALinearOfOnesOwnHoldsWhatTrainingTheLibrarysHolds() throws Exception {
        // weight, the input and the loss; then the gradient in place of the input
        String train = "static void train(io.vramlab.nn.Module net) { for (int i = 0; i < 3; i++) {"
                + " var loss = net.call(one()).sum(); mark(); loss.backward(); mark(); net.zeroGrad(); }"
                + " net.close(); }\n";
        marks(train + "static class My extends Linear { My() { super(128, 1, false); } }\n"
                + "static class Mine extends Linear { Mine() { super(128, 1, false); }"
                + " public Tensor forward(Tensor x) { return super.forward(x); } }",
                "train(new Linear(128, 1, false)); train(new My()); train(new Mine());",
                3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
    }

    /** Each class, what its constructor is given, and how it is called. */
    private static final String[][] MODULES = {
            {"Linear", "128, 128", "net.call(in(4, 128))"}, {"Conv1d", "2, 2, 3", "net.call(in(1, 2, 64))"},
            {"Conv2d", "2, 2, 3", "net.call(in(1, 2, 16, 16))"}, {"Conv3d", "2, 2, 3", "net.call(in(1, 2, 8, 8, 8))"},
            {"ConvTranspose1d", "2, 2, 3", "net.call(in(1, 2, 64))"},
            {"ConvTranspose2d", "2, 2, 3", "net.call(in(1, 2, 16, 16))"},
            {"BatchNorm1d", "128", "net.call(in(4, 128))"}, {"BatchNorm2d", "2", "net.call(in(2, 2, 8, 8))"},
            {"InstanceNorm2d", "2", "net.call(in(2, 2, 8, 8))"}, {"GroupNorm", "2, 4", "net.call(in(2, 4, 8, 8))"},
            {"LayerNorm", "128", "net.call(in(4, 128))"}, {"RMSNorm", "128", "net.call(in(4, 128))"},
            {"Embedding", "10, 128", "net.call(Tensor.arange(4))"}, {"Dropout", "0.5", "net.call(in(4, 128))"},
            {"ReLU", "", "net.call(in(4, 128))"}, {"GELU", "", "net.forward(in(4, 128))"},
            {"Softmax", "1", "net.call(in(4, 128))"}, {"MaxPool2d", "2", "net.call(in(1, 2, 16, 16))"},
            {"AdaptiveAvgPool2d", "1", "net.call(in(1, 2, 16, 16))"}, {"Flatten", "", "net.call(in(4, 8, 8))"},
            {"Identity", "", "net.call(in(4, 128))"}, {"PReLU", "", "net.call(in(4, 128))"},
            {"Sequential", "new Linear(128, 128), new ReLU()", "net.call(in(4, 128))"},
            {"ModuleList", "new Linear(128, 128), new ReLU()", "net.get(0).call(net.get(1).call(in(4, 128)))"},
            {"LSTM", "128, 128", "net.call(in(3, 1, 128))"}, {"GRU", "128, 128", "net.call(in(3, 1, 128))"},
            {"RNN", "128, 128", "net.call(in(3, 1, 128))"}, {"LSTMCell", "128, 128", "net.call(in(3, 128))"},
            {"GRUCell", "128, 128", "net.call(in(3, 128))"},
            {"MultiheadAttention", "128, 2", "net.call(in(4, 1, 128), in(4, 1, 128), in(4, 1, 128))[0]"},
            {"TransformerEncoderLayer", "128, 2", "net.call(in(4, 1, 128))"},
            {"TransformerEncoder", "new TransformerEncoderLayer(128, 2), 2", "net.call(in(4, 1, 128))"},
            {"TransformerDecoderLayer", "128, 2", "net.call(in(4, 1, 128), in(4, 1, 128))"},
            {"CrossEntropyLoss", "", "net.call(in(4, 10), Tensor.arange(4))"},
            {"MSELoss", "", "net.call(in(4, 10), in(4, 10))"}, {"L1Loss", "", "net.call(in(4, 10), in(4, 10))"},
            {"BCEWithLogitsLoss", "", "net.call(in(4, 10), in(4, 10))"},
            {"KLDivLoss", "", "net.call(in(4, 10), in(4, 10))"},
            {"TripletMarginLoss", "", "net.call(in(4, 10), in(4, 10), in(4, 10))"},
            {"CosineSimilarity", "", "net.call(in(4, 10), in(4, 10))"}};

    @Test
    void whatASubclassThatAddsNothingHoldsIsWhatTheModuleItselfHolds() throws Exception {
        StringBuilder declarations = new StringBuilder(MAKE
                + "static Tensor in(long... shape) { return Tensor.ones(shape).requiresGrad_(true); }\n");
        StringBuilder statements = new StringBuilder();
        for (String[] each : MODULES) {
            declarations.append("static class My%1$s extends %1$s { My%1$s() { super(%2$s); } }\n"
                    .formatted(each[0], each[1]));
            for (String name : List.of(each[0], "My" + each[0])) {
                declarations.append(("static void run%1$s() { var net = new %1$s(%2$s); mark(); var y = %3$s; mark();"
                        + " y = null; mark(); " + OFF + " y = %3$s; mark(); y = null; mark(); } }\n")
                        .formatted(name, name.equals(each[0]) ? each[1] : "", each[2]));
                statements.append("run").append(name).append("();\n");
            }
        }
        List<Long> marks = Woven.run(declarations.toString(), statements.toString());
        assertEquals(2 * 5 * MODULES.length, marks.size());
        for (int i = 0; i < MODULES.length; i++) {
            List<Long> own = marks.subList(10 * i, 10 * i + 5);
            List<Long> subclass = marks.subList(10 * i + 5, 10 * i + 10);
            assertEquals(changes(own), changes(subclass), MODULES[i][0]);
            assertEquals(own.get(2), own.get(4), MODULES[i][0]);
        }
    }

    @Test
    void whatADroppedModuleHeldGoesWithItOnceItsGraphHasComputed() throws Exception {
        StringBuilder declarations = new StringBuilder(MAKE
                + "static Tensor in(long... shape) { return Tensor.ones(shape).requiresGrad_(true); }\n");
        StringBuilder statements = new StringBuilder();
        for (int i = 0; i < MODULES.length; i++) {
            declarations.append(("static void run%1$d() { var net = new %2$s(%3$s); var y = %4$s; net = null;"
                    + " if (y.requiresGrad()) { y.sum().backward(); } y = null; mark(); }\n")
                    .formatted(i, MODULES[i][0], MODULES[i][1], MODULES[i][2]));
            statements.append("run").append(i).append("();\n");
        }
        List<Long> marks = Woven.run(declarations.toString(), statements.toString());
        for (int i = 0; i < MODULES.length; i++) {
            assertEquals(0, marks.get(i) - (i == 0 ? 0 : marks.get(i - 1)), MODULES[i][0]);
        }
        assertEquals(List.of(), Lifetimes.reachableThoughClosed());
    }

    /** What is there beyond what was there at the first mark. */
    private static List<Long> changes(List<Long> marks) {
        return marks.stream().map(each -> each - marks.getFirst()).toList();
    }
}
