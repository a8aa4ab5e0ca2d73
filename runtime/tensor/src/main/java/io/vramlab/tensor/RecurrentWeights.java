package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.RecurrentLibrary;
import io.vramlab.device.RecurrentShape;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;
import java.util.Optional;

/**
 * Where the weights of a recurrent network lie in their one block: as the device's library has them, else one after another.
 * The block has room for biases that there are not; they are zero.
 */
final class RecurrentWeights {

    private final long elements;
    private final long[] offsets;

    private RecurrentWeights(long elements, long[] offsets) {
        this.elements = elements;
        this.offsets = offsets;
    }

    /** For weights like these, but of that dtype. */
    static RecurrentWeights of(Recurrent.Settings s, long input, TensorImpl[] weights, DType dtype) {
        Optional<RecurrentLibrary> library = weights[0].driver().kernels().recurrent();
        if (library.isPresent()) {
            // the sequences do not matter: packed ones exclude no way to compute them
            RecurrentShape shape = RecurrentByLibrary.shape(s, input, dtype, true, new int[]{1}, null);
            int bytes = dtype.bytes();
            long[] all = library.get().weightOffsets(shape);
            long[] offsets = new long[weights.length];
            int perLayer = weights.length / shape.directedLayers();
            for (int i = 0; i < offsets.length; i++) {
                int k = i % perLayer;
                // without biases a projection comes third
                int place = k < 2 || s.bias() ? k : k + 2;
                offsets[i] = all[i / perLayer * shape.weights() + place] / bytes;
            }
            return new RecurrentWeights(library.get().weightBytes(shape) / bytes, offsets);
        }
        long[] offsets = new long[weights.length];
        long at = 0;
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = at;
            at += weights[i].count();
        }
        return new RecurrentWeights(Recurrent.elements(s, input), offsets);
    }

    /** A block of zeros for weights like these, held by the caller. */
    TensorImpl block(TensorImpl like, DType dtype) {
        return Factories.full(like.device(), dtype, 0, elements);
    }

    /** Each weight's place in a block, held by the caller. */
    TensorImpl[] parts(TensorImpl block, TensorImpl[] weights) {
        TensorImpl[] parts = new TensorImpl[weights.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = block.alias(weights[i].shape(), Shape.contiguous(weights[i].shape()), offsets[i]);
        }
        return parts;
    }

    /** Address of the block: the one in which the weights lie, else one that they are copied into, which is {@code t}'s. */
    long address(Temps t, TensorImpl[] weights) {
        int bytes = weights[0].dtype().bytes();
        long first = weights[0].operand().address() - offsets[0] * bytes;
        boolean flat = true;
        for (int i = 0; i < weights.length; i++) {
            flat &= weights[i].storage() == weights[0].storage() && weights[i].isContiguous()
                    && weights[i].operand().address() == first + offsets[i] * bytes;
        }
        if (flat) {
            return first;
        }
        TensorImpl block = t.own(block(weights[0], weights[0].dtype()));
        TensorImpl[] parts = parts(block, weights);
        for (int i = 0; i < parts.length; i++) {
            Copies.fill(t.own(parts[i]), weights[i]);
        }
        return block.operand().address();
    }
}
