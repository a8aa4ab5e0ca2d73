package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.List;

/**
 * Modules one after the other. Each one's output is let go as soon as the next one's exists, unless the graph holds it:
 * PyTorch's {@code input = module(input)}.
 */
public final class Sequential extends Module {

    private final List<Module> layers;

    /** In the order of execution. */
    public Sequential(Module... layers) {
        this(List.of(layers));
    }

    /** In the order of execution. */
    public Sequential(List<? extends Module> layers) {
        this.layers = List.copyOf(layers);
    }

    /** The i-th module. */
    public Module get(int i) {
        return layers.get(i);
    }

    /** Number of modules. */
    public int size() {
        return layers.size();
    }

    /** The modules, in order. */
    public List<Module> layers() {
        return layers;
    }

    @Override
    public Tensor forward(Tensor input) {
        Tensor x = input;
        for (Module layer : layers) {
            Tensor next = layer.call(x);
            if (x != input && x != next) {
                x.close();
            }
            x = next;
        }
        return x;
    }
}
