package io.vramlab.tensor;

/**
 * A tensor that a node keeps for its backward, with the version it had. A result of the node itself is kept through an
 * alias, so that the node does not hold what holds it.
 */
final class SavedTensor {

    private final TensorImpl impl;
    private final int version;
    private final Node maker;
    private final int makerOutput;

    SavedTensor(TensorImpl tensor, Node owner, boolean isResult) {
        impl = isResult ? tensor.alias() : tensor.retain();
        version = tensor.storage().version();
        maker = isResult ? owner : tensor.gradFn();
        makerOutput = isResult ? 0 : tensor.outputNr();
        if (tensor.storage().kind() == Kind.OTHER && tensor.requiresGrad()) {
            tensor.storage().kind(Kind.ACTIVATION);
        }
    }

    /** Borrowed. */
    TensorImpl get() {
        int now = impl.storage().version();
        if (now != version) {
            throw new AutogradException("one of the variables needed for gradient computation has been modified by an "
                    + "inplace operation: [" + impl.describe() + "]"
                    + (maker == null ? "" : ", which is output " + makerOutput + " of " + maker.name())
                    + ", is at version "
                    + now + "; expected version " + version
                    + " instead. Hint: use the out-of-place form, or clone() before changing it.");
        }
        return impl;
    }

    /** As it is now, whatever its version; borrowed. */
    TensorImpl impl() {
        return impl;
    }

    void release() {
        impl.release();
    }
}
