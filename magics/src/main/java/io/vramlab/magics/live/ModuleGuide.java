package io.vramlab.magics.live;

import io.vramlab.magics.hold.PathStep;
import io.vramlab.magics.hold.Guide;
import io.vramlab.nn.Sequential;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.ParamGroup;
import io.vramlab.optim.ParamState;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Names the layers of a sequence as PyTorch does, {@code net.0.weight}, and an optimizer's state by the parameter's number:
 * {@code opt.state[0].exp_avg}. Other modules are named by their fields, as any object.
 */
final class ModuleGuide implements Guide {

    @Override
    public List<PathStep> edges(Object object) {
        return switch (object) {
            case Sequential sequence -> sequence(sequence);
            case Optimizer optimizer -> optimizer(optimizer);
            case ParamState state -> state(state);
            default -> null;
        };
    }

    private static List<PathStep> sequence(Sequential sequence) {
        List<PathStep> edges = new ArrayList<>();
        for (int i = 0; i < sequence.size(); i++) {
            edges.add(new PathStep("." + i, sequence.get(i)));
        }
        return edges;
    }

    private static List<PathStep> optimizer(Optimizer optimizer) {
        List<PathStep> edges = new ArrayList<>();
        int number = 0;
        for (ParamGroup group : optimizer.paramGroups()) {
            for (Tensor param : group.params()) {
                edges.add(new PathStep(".params[" + number + "]", param, true));
                ParamState state = optimizer.state(param);
                if (state != null) {
                    edges.add(new PathStep(".state[" + number + "]", state));
                }
                number++;
            }
        }
        return edges;
    }

    private static List<PathStep> state(ParamState state) {
        List<PathStep> edges = new ArrayList<>();
        state.tensors().forEach((name, tensor) -> edges.add(new PathStep("." + name, tensor)));
        return edges;
    }
}
