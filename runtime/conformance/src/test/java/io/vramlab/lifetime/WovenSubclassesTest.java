package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Classes that extend the library's modules let go of a tensor when CPython would; see {@link WovenTest}. */
class WovenSubclassesTest {

    private static final String MAKE = "static Tensor one() { return Tensor.ones(128); }\n";
    private static final String OFF = "try (var off = new io.vramlab.autograd.NoGrad()) {";

    private final Device before = Device.current();
    private final Device device = Device.simulated("1GiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
        Lifetimes.count(true);
        Lifetimes.check(true);
    }

    @AfterEach
    void giveBack() {
        List<String> reachable = Lifetimes.reachableThoughClosed();
        Lifetimes.check(false);
        Lifetimes.count(false);
        Device.set(before);
        device.close();
        assertEquals(List.of(), reachable);
    }

    private void marks(String declarations, String statements, long... expected) throws Exception {
        List<Long> all = new ArrayList<>();
        Arrays.stream(expected).forEach(all::add);
        assertEquals(all, Woven.run(MAKE + declarations, statements));
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
        marks("static class Mine extends Linear { Mine() { super(128, 1, false); } }",
                OFF + "var net = new Mine(); var shift = one(); io.vramlab.nn.Module.ForwardPreHook hook ="
                        + " (m, x) -> x.add(shift); net.registerForwardPreHook(hook); hook = null;"
                        + " var y = net.call(one()); mark(); y = null; mark(); }",
                3, 2);
    }

    @Test
    void whatAModuleOfOnesOwnHoldsGoesWithItThoughItWasPutIntoTraining() throws Exception {
        marks("static class Mine extends io.vramlab.nn.Module { Tensor one = one();"
                + " public Tensor forward(Tensor x) { return x.add(one); } }",
                "var net = new Mine(); net.eval(); net.train(); mark(); net = null; mark();", 1, 0);
    }
}
