package io.vramlab.nn;

import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Layers of an encoder, one after the other, and perhaps a norm: copies of the layer it is given, as in PyTorch. */
public class TransformerEncoder extends Module {

    /** Copies of the given layer. */
    public final ModuleList layers;
    /** Of the output, or null. */
    public final Module norm;

    /**
     * So many copies of a layer.
     *
     * @param encoderLayer
     *            copied numLayers times with its values; not kept
     * @param numLayers
     *            how many copies
     */
    public TransformerEncoder(TransformerEncoderLayer encoderLayer, int numLayers) {
        this(encoderLayer, numLayers, null);
    }

    /**
     * With a norm of the output, or null.
     *
     * @param encoderLayer
     *            copied numLayers times with its values; not kept
     * @param numLayers
     *            how many copies
     * @param norm
     *            of the output, kept; or null
     */
    public TransformerEncoder(TransformerEncoderLayer encoderLayer, int numLayers, Module norm) {
        List<Module> copies = new ArrayList<>();
        for (int i = 0; i < numLayers; i++) {
            copies.add(encoderLayer.copy());
        }
        this.layers = new ModuleList(copies);
        this.norm = norm;
    }

    @Override
    public Tensor forward(Tensor src) {
        return forward(src, null, null, null);
    }

    /**
     * With a mask [l, l] or [n heads, l, l], or null.
     *
     * @param src
     *            [l, n, width], with batchFirst [n, l, width], or [l, width]
     * @param mask
     *            [l, l] or [n heads, l, l], or null
     * @return of the source's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if the mask does not fit
     */
    public Tensor call(Tensor src, Tensor mask) {
        return call(src, mask, null, null);
    }

    /**
     * With masks or null.
     *
     * @param src
     *            [l, n, width], with batchFirst [n, l, width], or [l, width]
     * @param mask
     *            [l, l] or [n heads, l, l], or null
     * @param srcKeyPaddingMask
     *            [n, l], or null
     * @return of the source's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if a mask does not fit
     */
    public Tensor call(Tensor src, Tensor mask, Tensor srcKeyPaddingMask) {
        return call(src, mask, srcKeyPaddingMask, null);
    }

    /**
     * With masks.
     *
     * @param src
     *            [l, n, width], with batchFirst [n, l, width], or [l, width]
     * @param mask
     *            [l, l] or [n heads, l, l], or null
     * @param srcKeyPaddingMask
     *            [n, l], or null
     * @param isCausal
     *            whether mask is the causal mask; null to look, which takes a mask to compare with, and values: give it on a
     *            device that has shapes only
     * @return of the source's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if a mask does not fit
     * @throws io.vramlab.device.DeviceException
     *             if there is a mask and no hint on a device that has no values
     */
    public Tensor call(Tensor src, Tensor mask, Tensor srcKeyPaddingMask, Boolean isCausal) {
        try (Scope scope = Scope.inner()) {
            return scope.keep(forward(src, mask, srcKeyPaddingMask, isCausal));
        }
    }

    private Tensor forward(Tensor src, Tensor givenMask, Tensor givenPadding, Boolean isCausal) {
        try (PythonFrame frame = new PythonFrame()) {
            Ref<Tensor> maskHeld = frame.name();
            Ref<Tensor> paddingHeld = frame.name();
            Ref<Tensor> output = frame.name();
            Tensor padding = AttentionMasks.additive(givenPadding, "srcKeyPaddingMask", src.dtype());
            paddingHeld.set(padding == givenPadding ? null : padding);
            Tensor mask = AttentionMasks.additive(givenMask, "mask", src.dtype());
            maskHeld.set(mask == givenMask ? null : mask);
            boolean causal = AttentionMasks.isCausal(mask, isCausal, length(src));
            for (Module layer : layers) {
                Tensor x = output.get() == null ? src : output.get();
                output.set(((TransformerEncoderLayer) layer).call(x, mask, padding, causal));
            }
            if (norm != null) {
                output.set(norm.call(output.get() == null ? src : output.get()));
            }
            return output.take();
        }
    }

    private long length(Tensor src) {
        boolean batchFirst = ((TransformerEncoderLayer) layers.get(0)).selfAttn.batchFirst();
        return src.dim() == 2 || !batchFirst ? src.size(0) : src.size(1);
    }
}
