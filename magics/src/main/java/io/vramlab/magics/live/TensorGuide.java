package io.vramlab.magics.live;

import io.vramlab.magics.hold.Guide;
import io.vramlab.magics.hold.PathStep;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Storage;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Leads from a tensor to its memory, its gradient, and the graph behind it with what its nodes saved. */
final class TensorGuide implements Guide {

    @Override
    public List<PathStep> edges(Object object) {
        return switch (object) {
            case Tensor tensor -> tensor.isClosed() ? List.of() : List.of(new PathStep("", tensor.impl()));
            case TensorImpl impl -> impl(impl);
            case Node node -> node(node);
            case Storage storage -> List.of();
            default -> null;
        };
    }

    private static List<PathStep> impl(TensorImpl impl) {
        List<PathStep> edges = new ArrayList<>(3);
        edges.add(new PathStep("", impl.storage()));
        if (impl.grad() != null) {
            edges.add(new PathStep(".grad", impl.grad()));
        }
        if (impl.gradFn() != null) {
            edges.add(new PathStep(".gradFn", impl.gradFn(), true));
        }
        return edges;
    }

    private static List<PathStep> node(Node node) {
        List<PathStep> edges = new ArrayList<>();
        for (TensorImpl saved : node.savedTensors()) {
            edges.add(new PathStep(" saved by " + operation(node.name()), saved));
        }
        for (io.vramlab.tensor.internal.core.Edge next : node.next()) {
            if (next != null) {
                edges.add(new PathStep("", next.node()));
            }
        }
        return edges;
    }

    /** {@code ReluBackward0} to {@code relu}. */
    static String operation(String node) {
        int end = node.indexOf("Backward");
        return end <= 0 ? node : node.substring(0, 1).toLowerCase(Locale.ROOT) + node.substring(1, end);
    }
}
