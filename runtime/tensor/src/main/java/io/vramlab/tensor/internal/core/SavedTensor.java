package io.vramlab.tensor.internal.core;

import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.Kind;
import io.vramlab.tensor.type.Shape;

/**
 * A tensor that a node keeps for its backward, with the version it had. A result of the node itself is kept through an
 * alias, so that the node does not hold what holds it. Where {@link SavedTensorHooks} are set, they keep what they
 * like in its place, and give a tensor back when backward asks.
 */
public final class SavedTensor {

    private final TensorImpl impl;
    private final SavedTensorHooks hooks;
    private final Object packed;
    private TensorImpl unpacked;
    private final int version;
    private final Node maker;
    private final int makerOutput;
    private final boolean result;
    private final AccumulateGrad leafEnd;

    SavedTensor(TensorImpl tensor, Node owner, boolean isResult) {
        hooks = ThreadState.current().hooks;
        packed = hooks == null ? null : hooks.pack(tensor);
        impl = hooks != null ? null : isResult ? tensor.alias() : tensor.retain();
        version = tensor.storage().version();
        maker = isResult ? owner : tensor.gradFn();
        makerOutput = tensor.outputNr();
        result = isResult;
        leafEnd = hooks == null || maker != null || !tensor.requiresGrad() ? null : tensor.end();
        if (hooks == null && tensor.storage().kind() == Kind.OTHER && tensor.requiresGrad()) {
            tensor.storage().kind(Kind.ACTIVATION);
        }
    }

    /** Borrowed; what hooks gave back is held until {@link #endUse}. */
    TensorImpl get() {
        if (hooks != null) {
            if (unpacked == null) {
                unpacked = hooks.unpack(packed);
                if (GradMode.isEnabled() && requiresGrad()) {
                    TensorImpl bare = unpacked;
                    unpacked = bare.alias();
                    bare.release();
                    tie(unpacked);
                }
            }
            return unpacked;
        }
        int now = impl.storage().version();
        if (now != version) {
            throw new AutogradException("one of the variables needed for gradient computation has been modified by an "
                    + "inplace operation: [" + type() + " " + Shape.text(impl.shape()) + "]"
                    + (maker == null ? "" : ", which is output " + makerOutput + " of " + maker.name() + ",")
                    + " is at version "
                    + now + "; expected version " + version
                    + " instead. Hint: use the out-of-place form, or clone() before changing it.");
        }
        if (result && GradMode.isEnabled()) {
            // the graph of a gradient's gradient goes through it
            if (unpacked == null) {
                unpacked = impl.alias();
                tie(unpacked);
            }
            return unpacked;
        }
        return impl;
    }

    /** Gives what was kept without its graph its place there. */
    private void tie(TensorImpl bare) {
        if (maker != null) {
            maker.retain();
            bare.gradFn(maker, makerOutput);
        } else {
            bare.endAt(leafEnd);
        }
    }

    /** Whether the tensor, as it was saved, is part of the graph. */
    boolean requiresGrad() {
        return hooks == null && !result ? impl.requiresGrad() : maker != null || leafEnd != null;
    }

    /** As PyTorch calls the type in this message, which knows no better name for bfloat16. */
    private String type() {
        String prefix = impl.device().isCuda() ? "torch.cuda." : "torch.";
        return switch (impl.dtype()) {
            case FLOAT32 -> prefix + "FloatTensor";
            case FLOAT64 -> prefix + "DoubleTensor";
            case FLOAT16 -> prefix + "HalfTensor";
            case INT64 -> prefix + "LongTensor";
            case INT32 -> prefix + "IntTensor";
            case UINT8 -> prefix + "ByteTensor";
            case BOOL -> prefix + "BoolTensor";
            default -> impl.device().isCuda() ? "CUDABFloat16Type" : "CPUBFloat16Type";
        };
    }

    /** As it is now, whatever its version; borrowed; null where hooks keep something else. */
    TensorImpl impl() {
        return impl;
    }

    /** The formula that asked has ended. */
    void endUse() {
        if (unpacked != null) {
            unpacked.release();
            unpacked = null;
        }
    }

    void release() {
        endUse();
        if (hooks == null) {
            impl.release();
        } else {
            hooks.forget(packed);
        }
    }
}
