package io.vramlab.conformance.articles;

import io.vramlab.autograd.Checkpoint;
import io.vramlab.nn.Linear;
import io.vramlab.nn.Module;
import io.vramlab.nn.ReLU;
import io.vramlab.nn.Sequential;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.SGD;
import io.vramlab.device.DType;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import java.util.Map;

/** Article a: launches that fail after several epochs. Missing zero_grad, del and empty_cache, checkpointing. */
final class LaunchFailure {

    private static final int CLASSES = 10;

    private LaunchFailure() {
    }

    static Map<String, Scenario> all() {
        return Map.of("s000_1_zero_grad", lab -> linear(lab, Zero.TO_NONE),
                "s000_1_missing_zero_grad", lab -> linear(lab, Zero.NEVER),
                "s000_1_zero_grad_to_zeros", lab -> linear(lab, Zero.TO_ZEROS),
                "s000_2_del_and_empty_cache", LaunchFailure::delAndEmptyCache,
                "s000_3_plain", lab -> checkpointed(lab, Middle.PLAIN),
                "s000_3_checkpoint", lab -> checkpointed(lab, Middle.CHECKPOINT),
                "s000_3_checkpoint_reentrant", lab -> checkpointed(lab, Middle.REENTRANT));
    }

    private enum Zero {
        TO_NONE, TO_ZEROS, NEVER
    }

    private static void linear(Lab lab, Zero zero) {
        Module model = new Linear(1000, CLASSES);
        lab.mark("model");
        Optimizer optimizer = lab.own(new SGD(model.parameters(), 0.01));
        lab.mark("optimizer");
        Ref<Tensor> data = new Ref<>();
        Ref<Tensor> target = new Ref<>();
        Ref<Tensor> output = new Ref<>();
        Ref<Tensor> loss = new Ref<>();
        for (int i = 0; i < 4; i++) {
            data.set(lab.moved(Tensor.randn(lab.host(), 1024, 1000)));
            lab.mark(i + ".data");
            target.set(lab.moved(Tensor.randint(lab.host().dtype(DType.INT64), 0, CLASSES, 1024)));
            lab.mark(i + ".target");
            output.set(model.call(data.get()));
            lab.mark(i + ".forward");
            loss.set(Lab.crossEntropy(output, target));
            lab.mark(i + ".loss");
            loss.get().backward();
            lab.mark(i + ".backward");
            optimizer.step();
            lab.mark(i + ".step");
            if (zero != Zero.NEVER) {
                optimizer.zeroGrad(zero == Zero.TO_NONE);
            }
            lab.mark(i + ".zero_grad");
        }
    }

    private static void delAndEmptyCache(Lab lab) {
        Module model = new Linear(1000, CLASSES);
        Optimizer optimizer = lab.own(new SGD(model.parameters(), 0.01));
        lab.mark("model");
        Ref<Tensor> loss = new Ref<>();
        for (int i = 0; i < 3; i++) {
            Ref<Tensor> data = new Ref<>(lab.pinnedAndMoved(Tensor.randn(lab.host(), 1024, 1000)));
            Ref<Tensor> target = new Ref<>(
                    lab.pinnedAndMoved(Tensor.randint(lab.host().dtype(DType.INT64), 0, CLASSES, 1024)));
            lab.mark(i + ".data");
            Ref<Tensor> output = new Ref<>(model.call(data.get()));
            loss.set(Lab.crossEntropy(output, target));
            lab.mark(i + ".loss");
            loss.get().backward();
            Lab.stepAndZero(optimizer);
            lab.mark(i + ".step");
            data.close();
            target.close();
            output.close();
            lab.mark(i + ".del");
            lab.emptyCache();
            lab.mark(i + ".empty_cache");
        }
    }

    private enum Middle {
        PLAIN, CHECKPOINT, REENTRANT
    }

    /** Three parts; the middle one is run plainly, or checkpointed in one of the two ways. */
    private static final class Net extends Module {

        private final Sequential layer1 = new Sequential(new Linear(512, 2048), new ReLU());
        private final Sequential layer2 = new Sequential(new Linear(2048, 2048), new ReLU(), new Linear(2048, 2048),
                new ReLU(), new Linear(2048, 2048), new ReLU());
        private final Linear layer3 = new Linear(2048, CLASSES);
        private final Lab lab;
        private final Middle middle;

        Net(Lab lab, Middle middle) {
            this.lab = lab;
            this.middle = middle;
        }

        @Override
        public Tensor forward(Tensor input) {
            Ref<Tensor> x = new Ref<>(layer1.call(input));
            lab.mark("layer1");
            x.set(switch (middle) {
                case PLAIN -> layer2.call(x.get());
                case CHECKPOINT -> Checkpoint.checkpoint(layer2::call, x.get());
                case REENTRANT -> Checkpoint.reentrant(layer2::call, x.get());
            });
            lab.mark("layer2");
            x.set(layer3.call(x.get()));
            lab.mark("layer3");
            return x.take();
        }
    }

    private static void checkpointed(Lab lab, Middle middle) {
        Module model = new Net(lab, middle);
        Optimizer optimizer = lab.own(new SGD(model.parameters(), 0.01));
        lab.mark("model");
        Ref<Tensor> x = new Ref<>();
        Ref<Tensor> target = new Ref<>();
        Ref<Tensor> output = new Ref<>();
        Ref<Tensor> loss = new Ref<>();
        for (int i = 0; i < 2; i++) {
            x.set(lab.randn(4096, 512));
            target.set(lab.classes(4096));
            lab.mark(i + ".data");
            output.set(model.call(x.get()));
            loss.set(Lab.crossEntropy(output, target));
            lab.mark(i + ".loss");
            lab.resetPeak();
            loss.get().backward();
            lab.mark(i + ".backward");
            optimizer.step();
            lab.mark(i + ".step");
            optimizer.zeroGrad();
            lab.mark(i + ".zero_grad");
        }
    }
}
