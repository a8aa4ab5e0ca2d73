package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.List;

/**
 * Modules one after the other. Each one's output is let go as soon as the next one's exists, unless the graph holds it:
 * PyTorch's {@code input = module(input)}.
 */
public final class Sequential extends Module {

    private final List<Module> layers;

    /**
     * In the order of execution.
     *
     * @param layers
     *            the first gets the input
     */
    public Sequential(Module... layers) {
        this(List.of(layers));
    }

    /**
     * In the order of execution.
     *
     * @param layers
     *            the first gets the input; the list is copied
     */
    public Sequential(List<? extends Module> layers) {
        this.layers = List.copyOf(layers);
    }

    /**
     * {@return the i-th module}
     *
     * @param i
     *            from 0
     * @throws IndexOutOfBoundsException
     *             if there is none
     */
    public Module get(int i) {
        return layers.get(i);
    }

    /** {@return number of modules} */
    public int size() {
        return layers.size();
    }

    /** {@return the modules, in order} */
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
