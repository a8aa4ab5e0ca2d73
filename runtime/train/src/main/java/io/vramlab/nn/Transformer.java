package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/**
 * An encoder and a decoder (Vaswani et al., 2017), each with a norm of its output. Weights of two dimensions or more
 * are drawn by Glorot's rule, as PyTorch's {@code Transformer} does.
 */
public class Transformer extends Module {

    private static final long WIDTH = 512;
    private static final long HEADS = 8;
    private static final int LAYERS = 6;

    /** Reads the source. */
    public final TransformerEncoder encoder;
    /** Writes the target. */
    public final TransformerDecoder decoder;
    private final long dModel;
    private final boolean batchFirst;

    /** PyTorch's defaults: 512 wide, 8 heads, 6 layers each. */
    public Transformer() {
        this(WIDTH, HEADS, LAYERS, LAYERS, new TransformerOptions());
    }

    /**
     * Six layers each.
     *
     * @param dModel
     *            width of inputs and outputs
     * @param nhead
     *            heads, which divide dModel
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads
     */
    public Transformer(long dModel, long nhead) {
        this(dModel, nhead, LAYERS, LAYERS, new TransformerOptions());
    }

    /**
     * With whatever else.
     *
     * @param dModel
     *            width of inputs and outputs
     * @param nhead
     *            heads, which divide dModel
     * @param numEncoderLayers
     *            6 by default
     * @param numDecoderLayers
     *            6 by default
     * @param options
     *            width inside, dropout, activation and so on by name
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads
     */
    public Transformer(long dModel, long nhead, int numEncoderLayers, int numDecoderLayers,
            TransformerOptions options) {
        this.encoder = new TransformerEncoder(new TransformerEncoderLayer(dModel, nhead, options), numEncoderLayers,
                options.norm(dModel));
        this.decoder = new TransformerDecoder(new TransformerDecoderLayer(dModel, nhead, options), numDecoderLayers,
                options.norm(dModel));
        for (Parameter p : parameters()) {
            if (p.dim() > 1) {
                FirstValues.xavierUniform(p);
            }
        }
        this.dModel = dModel;
        this.batchFirst = options.batchFirst;
    }

    /**
     * {@return a float32 mask [n, n] on the current device: minus infinity above the diagonal, zero elsewhere}
     *
     * @param n
     *            length of the sequences
     */
    public static Tensor generateSquareSubsequentMask(long n) {
        return generateSquareSubsequentMask(n, Device.current());
    }

    /**
     * {@return a float32 mask [n, n]: minus infinity above the diagonal, zero elsewhere}
     *
     * @param n
     *            length of the sequences
     * @param device
     *            where it is made
     */
    public static Tensor generateSquareSubsequentMask(long n, Device device) {
        return AttentionMasks.squareSubsequent(n, device, DType.FLOAT32);
    }

    /** Source and target are the input. */
    @Override
    public Tensor forward(Tensor input) {
        return forward(input, input, null, null, null, new DecoderMasks());
    }

    /**
     * Reads the source and writes the target, without masks.
     *
     * @param src
     *            [s, n, width], with batchFirst [n, s, width]
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @return the decoder's output, of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if widths or batches differ
     */
    public Tensor call(Tensor src, Tensor tgt) {
        return call(src, tgt, null, null, null, new DecoderMasks());
    }

    /**
     * With masks of the source, [s, s], and of the target, [l, l], or null.
     *
     * @param src
     *            [s, n, width], with batchFirst [n, s, width]
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param srcMask
     *            [s, s] or [n heads, s, s], or null
     * @param tgtMask
     *            [l, l] or [n heads, l, l], or null
     * @return the decoder's output, of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if widths or batches differ, or a mask does not fit
     */
    public Tensor call(Tensor src, Tensor tgt, Tensor srcMask, Tensor tgtMask) {
        return call(src, tgt, srcMask, null, null, new DecoderMasks().tgtMask(tgtMask));
    }

    /**
     * With masks, in PyTorch's order, any of them null.
     *
     * @param src
     *            [s, n, width], with batchFirst [n, s, width]
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param srcMask
     *            [s, s] or [n heads, s, s], or null
     * @param tgtMask
     *            [l, l] or [n heads, l, l], or null
     * @param memoryMask
     *            of the encoder's output, [l, s] or [n heads, l, s], or null
     * @param srcKeyPaddingMask
     *            [n, s], or null
     * @param tgtKeyPaddingMask
     *            [n, l], or null
     * @param memoryKeyPaddingMask
     *            of the encoder's output, [n, s], or null
     * @return the decoder's output, of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if widths or batches differ, or a mask does not fit
     */
    public Tensor call(Tensor src, Tensor tgt, Tensor srcMask, Tensor tgtMask, Tensor memoryMask,
            Tensor srcKeyPaddingMask, Tensor tgtKeyPaddingMask, Tensor memoryKeyPaddingMask) {
        return call(src, tgt, srcMask, srcKeyPaddingMask, null, new DecoderMasks().tgtMask(tgtMask)
                .memoryMask(memoryMask).tgtKeyPaddingMask(tgtKeyPaddingMask)
                .memoryKeyPaddingMask(memoryKeyPaddingMask));
    }

    /**
     * With the encoder's masks or null, its hint or null, and the decoder's masks by name.
     *
     * @param src
     *            [s, n, width], with batchFirst [n, s, width]
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param srcMask
     *            [s, s] or [n heads, s, s], or null
     * @param srcKeyPaddingMask
     *            [n, s], or null
     * @param srcIsCausal
     *            whether srcMask is the causal mask; null to look, which takes values
     * @param masks
     *            the decoder's, by name
     * @return the decoder's output, of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if widths or batches differ, or a mask does not fit
     */
    public Tensor call(Tensor src, Tensor tgt, Tensor srcMask, Tensor srcKeyPaddingMask, Boolean srcIsCausal,
            DecoderMasks masks) {
        try (Scope scope = Scope.inner()) {
            return scope.keep(forward(src, tgt, srcMask, srcKeyPaddingMask, srcIsCausal, masks));
        }
    }

    private Tensor forward(Tensor src, Tensor tgt, Tensor srcMask, Tensor srcKeyPaddingMask, Boolean srcIsCausal,
            DecoderMasks masks) {
        int batch = batchFirst ? 0 : 1;
        if (src.dim() == 3 && src.size(batch) != tgt.size(batch)) {
            throw new TensorException("the batch number of src and tgt must be equal, but they are "
                    + Arrays.toString(src.shape()) + " and " + Arrays.toString(tgt.shape()) + ".");
        }
        if (src.size(-1) != dModel || tgt.size(-1) != dModel) {
            throw new TensorException("the feature number of src and tgt must be equal to dModel, " + dModel
                    + ", but they are " + Arrays.toString(src.shape()) + " and " + Arrays.toString(tgt.shape()) + ".");
        }
        try (Tensor memory = encoder.call(src, srcMask, srcKeyPaddingMask, srcIsCausal)) {
            return decoder.call(tgt, memory, masks);
        }
    }
}
