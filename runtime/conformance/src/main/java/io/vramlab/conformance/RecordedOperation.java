package io.vramlab.conformance;

import io.vramlab.device.DType;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A single operation that recordings name.
 *
 * @param arguments
 *            what it takes
 * @param function
 *            the operation; intermediate handles are closed as Python would drop them
 */
record RecordedOperation(Argument[] arguments, Function<Tensor[], Tensor> function) {

    /**
     * One argument.
     *
     * @param shape
     *            its sizes
     * @param dtype
     *            its element type; of one dimension int64 means the recording's class or row numbers
     * @param gradient
     *            whether it requires gradients when the row is one with gradients
     */
    record Argument(long[] shape, DType dtype, boolean gradient) {

        Tensor make(boolean withGradients) {
            TensorOptions options = TensorOptions.of(dtype).requiresGrad(withGradients && gradient);
            return switch (dtype) {
                case BOOL, INT64 -> Tensor.zeros(options, shape);
                default -> Tensor.randn(options, shape);
            };
        }
    }

    /** The operations that recordings name, with arguments of those sizes. */
    static Map<String, RecordedOperation> table(OperationTable.Sizes sizes) {
        Map<String, RecordedOperation> all = new HashMap<>();
        all.putAll(new RecordedOperations(sizes).all());
        all.putAll(new MoreOperations(sizes).all());
        all.putAll(new ComposedOperations(sizes).all());
        return all;
    }

    /** The arguments, in order; numbers of classes and rows are views of those given. */
    Tensor[] make(boolean withGradients, Tensor classes) {
        Tensor[] out = new Tensor[arguments.length];
        for (int i = 0; i < out.length; i++) {
            boolean given = arguments[i].dtype() == DType.INT64 && arguments[i].shape().length == 1;
            out[i] = given ? classes.detach() : arguments[i].make(withGradients);
        }
        return out;
    }
}
