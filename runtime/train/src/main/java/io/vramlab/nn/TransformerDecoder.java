package io.vramlab.nn;

import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Layers of a decoder, one after the other, and perhaps a norm: copies of the layer it is given, as in PyTorch. */
public class TransformerDecoder extends Module {

    /** Copies of the given layer. */
    public final ModuleList layers;
    /** Of the output, or null. */
    public final Module norm;

    /**
     * So many copies of a layer.
     *
     * @param decoderLayer
     *            copied numLayers times with its values; not kept
     * @param numLayers
     *            how many copies
     */
    public TransformerDecoder(TransformerDecoderLayer decoderLayer, int numLayers) {
        this(decoderLayer, numLayers, null);
    }

    /**
     * With a norm of the output, or null.
     *
     * @param decoderLayer
     *            copied numLayers times with its values; not kept
     * @param numLayers
     *            how many copies
     * @param norm
     *            of the output, kept; or null
     */
    public TransformerDecoder(TransformerDecoderLayer decoderLayer, int numLayers, Module norm) {
        List<Module> copies = new ArrayList<>();
        for (int i = 0; i < numLayers; i++) {
            copies.add(decoderLayer.copy());
        }
        this.layers = new ModuleList(copies);
        this.norm = norm;
    }

    /** Not what a decoder is for: attends to its own input. */
    @Override
    public Tensor forward(Tensor tgt) {
        return forward(tgt, tgt, new DecoderMasks());
    }

    /**
     * Writes the target from the encoder's output.
     *
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param memory
     *            the encoder's output, [s, n, width], with batchFirst [n, s, width]
     * @return of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes do not fit each other
     */
    public Tensor call(Tensor tgt, Tensor memory) {
        return call(tgt, memory, new DecoderMasks());
    }

    /**
     * With a mask of the target, [l, l], or null.
     *
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param memory
     *            the encoder's output, [s, n, width], with batchFirst [n, s, width]
     * @param tgtMask
     *            [l, l] or [n heads, l, l], or null
     * @return of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or the mask do not fit
     */
    public Tensor call(Tensor tgt, Tensor memory, Tensor tgtMask) {
        return call(tgt, memory, new DecoderMasks().tgtMask(tgtMask));
    }

    /**
     * With masks, in PyTorch's order, any of them null.
     *
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param memory
     *            the encoder's output, [s, n, width], with batchFirst [n, s, width]
     * @param tgtMask
     *            [l, l] or [n heads, l, l], or null
     * @param memoryMask
     *            of the encoder's output, [l, s] or [n heads, l, s], or null
     * @param tgtKeyPaddingMask
     *            [n, l], or null
     * @param memoryKeyPaddingMask
     *            of the encoder's output, [n, s], or null
     * @return of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or masks do not fit
     */
    public Tensor call(Tensor tgt, Tensor memory, Tensor tgtMask, Tensor memoryMask, Tensor tgtKeyPaddingMask,
            Tensor memoryKeyPaddingMask) {
        return call(tgt, memory, new DecoderMasks().tgtMask(tgtMask).memoryMask(memoryMask)
                .tgtKeyPaddingMask(tgtKeyPaddingMask).memoryKeyPaddingMask(memoryKeyPaddingMask));
    }

    /**
     * With masks of both attentions.
     *
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param memory
     *            the encoder's output, [s, n, width], with batchFirst [n, s, width]
     * @param tgtMask
     *            [l, l] or [n heads, l, l], or null
     * @param memoryMask
     *            of the encoder's output, [l, s] or [n heads, l, s], or null
     * @return of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or masks do not fit
     */
    public Tensor call(Tensor tgt, Tensor memory, Tensor tgtMask, Tensor memoryMask) {
        return call(tgt, memory, tgtMask, memoryMask, null, null);
    }

    /**
     * With masks by name.
     *
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param memory
     *            the encoder's output, [s, n, width], with batchFirst [n, s, width]
     * @param masks
     *            the decoder's, by name
     * @return of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or masks do not fit
     */
    public Tensor call(Tensor tgt, Tensor memory, DecoderMasks masks) {
        try (Scope scope = Scope.inner()) {
            return scope.keep(forward(tgt, memory, masks));
        }
    }

    private Tensor forward(Tensor tgt, Tensor memory, DecoderMasks masks) {
        DecoderMasks hinted = masks.hinted(AttentionMasks.isCausal(masks.tgtMask, masks.tgtIsCausal, length(tgt)));
        try (Ref<Tensor> output = new Ref<>()) {
            for (Module layer : layers) {
                Tensor x = output.get() == null ? tgt : output.get();
                output.set(((TransformerDecoderLayer) layer).call(x, memory, hinted));
            }
            if (norm != null) {
                output.set(norm.call(output.get() == null ? tgt : output.get()));
            }
            return output.take();
        }
    }

    private long length(Tensor tgt) {
        boolean batchFirst = ((TransformerDecoderLayer) layers.get(0)).selfAttn.batchFirst();
        return tgt.dim() == 2 || !batchFirst ? tgt.size(0) : tgt.size(1);
    }
}
