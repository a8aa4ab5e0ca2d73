package io.vramlab.nn;

import io.vramlab.device.Device;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.Arrays;

/**
 * A module whose input's size is read off the first input, PyTorch's {@code LazyModuleMixin}: until then it has no parameters of
 * unknown shape; from then on it is what it was made for, with that module's parameters as its own. Call it once before its
 * parameters are given to an optimizer.
 */
public abstract class Lazy extends Module {

    private Module made;

    Lazy() {
    }

    /** The module for an input. */
    abstract Module made(Tensor input);

    /** What is in the parentheses while the size is unknown. */
    abstract String unknown();

    /** {@return whether the first input is still to come: PyTorch's {@code has_uninitialized_params}} */
    public final boolean hasUninitializedParams() {
        return made == null;
    }

    /** The module that it has become, or null. */
    final Module module() {
        return made;
    }

    /**
     * Makes the parameters, on the input's device, without computing: PyTorch's {@code initialize_parameters}.
     *
     * @param input
     *            of which the shape and the device are looked at
     * @throws IllegalArgumentException
     *             if its dimensions are not those the module takes
     */
    public final void initializeParameters(Tensor input) {
        if (made == null) {
            Device before = Device.current();
            Device.set(input.device());
            try {
                made = made(input);
                // they are the module's, whatever scope its first call is in
                made.stateDict("", true).values().forEach(Scope::release);
            } finally {
                Device.set(before);
            }
        }
    }

    @Override
    public final Tensor forward(Tensor input) {
        initializeParameters(input);
        if (made.isTraining() != isTraining()) {
            made.train(isTraining());
        }
        return made.call(input);
    }

    /** For an input of [n, channels, …], or without the batch. */
    static long channels(Tensor input, int spatial, String name) {
        if (input.dim() != spatial + 1 && input.dim() != spatial + 2) {
            throw new IllegalArgumentException("Expected " + (spatial + 1) + "D (unbatched) or " + (spatial + 2)
                    + "D (batched) input to " + name + ", but got input of size: "
                    + Arrays.toString(input.shape()) + ".");
        }
        return input.size(input.dim() == spatial + 2 ? 1 : 0);
    }

    @Override
    protected final String extraRepr() {
        return unknown();
    }

    /** As what it has become, once it has. */
    @Override
    public final String toString() {
        return made == null ? super.toString() : made.toString();
    }

}
