package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * {@code torch.nn.init}: other first values for parameters, {@code Init.xavierUniform_(layer.weight)}. They are written in place and outside
 * the graph, and take no memory of their own. One method for each form of each of PyTorch's functions: a table, long by what it lists.
 */
public final class Init {

    private Init() {
    }

    /**
     * Uniform numbers from 0 to 1. As {@code torch.nn.init.uniform_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @return the tensor
     */
    public static <T extends Tensor> T uniform_(T tensor) {
        return on(tensor, t -> t.uniform_(0, 1));
    }

    /**
     * Uniform numbers. As {@code torch.nn.init.uniform_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @param from
     *            the least
     * @param to
     *            the bound above
     * @return the tensor
     */
    public static <T extends Tensor> T uniform_(T tensor, double from, double to) {
        return on(tensor, t -> t.uniform_(from, to));
    }

    /**
     * Numbers of the standard normal distribution. As {@code torch.nn.init.normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @return the tensor
     */
    public static <T extends Tensor> T normal_(T tensor) {
        return on(tensor, t -> t.normal_(0, 1));
    }

    /**
     * Numbers of a normal distribution. As {@code torch.nn.init.normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @param mean
     *            in the middle
     * @param std
     *            standard deviation
     * @return the tensor
     */
    public static <T extends Tensor> T normal_(T tensor, double mean, double std) {
        return on(tensor, t -> t.normal_(mean, std));
    }

    /**
     * One value. As {@code torch.nn.init.constant_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @param value
     *            everywhere
     * @return the tensor
     */
    public static <T extends Tensor> T constant_(T tensor, double value) {
        return on(tensor, t -> t.fill_(value));
    }

    /**
     * Zeros. As {@code torch.nn.init.zeros_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @return the tensor
     */
    public static <T extends Tensor> T zeros_(T tensor) {
        return on(tensor, t -> t.zero_());
    }

    /**
     * Ones. As {@code torch.nn.init.ones_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @return the tensor
     */
    public static <T extends Tensor> T ones_(T tensor) {
        return on(tensor, t -> t.fill_(1));
    }

    /**
     * Ones on the diagonal of a matrix, else zeros. As {@code torch.nn.init.eye_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions; filled in place
     * @return the tensor
     */
    public static <T extends Tensor> T eye_(T tensor) {
        if (tensor.dim() != 2) {
            throw shape("eye_", tensor, "only tensors with 2 dimensions are supported");
        }
        return on(tensor, t -> diagonal(t.zero_()));
    }

    /**
     * The kernels of a convolution that gives its input back. As {@code torch.nn.init.dirac_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            [out, in, kernel…] of 3 to 5 dimensions; filled in place
     * @return the tensor
     */
    public static <T extends Tensor> T dirac_(T tensor) {
        if (tensor.dim() < 3 || tensor.dim() > 5) {
            throw shape("dirac_", tensor, "only tensors with 3, 4 or 5 dimensions are supported");
        }
        return on(tensor, t -> {
            t.zero_();
            try (Tensor middle = middle(t)) {
                return diagonal(middle);
            }
        });
    }

    /**
     * Glorot and Bengio's values, with a gain of 1. As {@code torch.nn.init.xavier_uniform_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @return the tensor
     */
    public static <T extends Tensor> T xavierUniform_(T tensor) {
        return xavierUniform_(tensor, 1);
    }

    /**
     * Glorot and Bengio's values: "Understanding the difficulty of training deep feedforward neural networks", 2010. As {@code torch.nn.init.xavier_uniform_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @param gain
     *            factor, see {@link #calculateGain}
     * @return the tensor
     */
    public static <T extends Tensor> T xavierUniform_(T tensor, double gain) {
        double std = gain
                * Math.sqrt(2.0 / (fan("xavier_uniform_", tensor, true) + fan("xavier_uniform_", tensor, false)));
        return on(tensor, t -> t.uniform_(-Math.sqrt(3) * std, Math.sqrt(3) * std));
    }

    /**
     * He's values with PyTorch's defaults: the fan in, for leaky ReLU of slope 0, a gain of the square root of 2. As {@code torch.nn.init.kaiming_uniform_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @return the tensor
     */
    public static <T extends Tensor> T kaimingUniform_(T tensor) {
        return kaimingUniform_(tensor, 0);
    }

    /**
     * He's values for the fan in and leaky ReLU. As {@code torch.nn.init.kaiming_uniform_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @param a
     *            its negative slope
     * @return the tensor
     */
    public static <T extends Tensor> T kaimingUniform_(T tensor, double a) {
        return kaimingUniform_(tensor, a, "fan_in", "leaky_relu");
    }

    /**
     * He's values: "Delving deep into rectifiers", 2015. As {@code torch.nn.init.kaiming_uniform_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @param a
     *            negative slope, for {@code "leaky_relu"}
     * @param mode
     *            {@code "fan_in"} or {@code "fan_out"}
     * @param nonlinearity
     *            as {@link #calculateGain} takes it
     * @return the tensor
     */
    public static <T extends Tensor> T kaimingUniform_(T tensor, double a, String mode, String nonlinearity) {
        double fan = fan("kaiming_uniform_", tensor, isIn(mode));
        double std = calculateGain(nonlinearity, a) / Math.sqrt(fan);
        return on(tensor, t -> t.uniform_(-Math.sqrt(3) * std, Math.sqrt(3) * std));
    }

    /**
     * Glorot and Bengio's values, with a gain of 1. As {@code torch.nn.init.xavier_normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @return the tensor
     */
    public static <T extends Tensor> T xavierNormal_(T tensor) {
        return xavierNormal_(tensor, 1);
    }

    /**
     * Glorot and Bengio's values: "Understanding the difficulty of training deep feedforward neural networks", 2010. As {@code torch.nn.init.xavier_normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @param gain
     *            factor, see {@link #calculateGain}
     * @return the tensor
     */
    public static <T extends Tensor> T xavierNormal_(T tensor, double gain) {
        double std = gain
                * Math.sqrt(2.0 / (fan("xavier_normal_", tensor, true) + fan("xavier_normal_", tensor, false)));
        return on(tensor, t -> t.normal_(0, std));
    }

    /**
     * He's values with PyTorch's defaults: the fan in, for leaky ReLU of slope 0, a gain of the square root of 2. As {@code torch.nn.init.kaiming_normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @return the tensor
     */
    public static <T extends Tensor> T kaimingNormal_(T tensor) {
        return kaimingNormal_(tensor, 0);
    }

    /**
     * He's values for the fan in and leaky ReLU. As {@code torch.nn.init.kaiming_normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @param a
     *            its negative slope
     * @return the tensor
     */
    public static <T extends Tensor> T kaimingNormal_(T tensor, double a) {
        return kaimingNormal_(tensor, a, "fan_in", "leaky_relu");
    }

    /**
     * He's values: "Delving deep into rectifiers", 2015. As {@code torch.nn.init.kaiming_normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more; filled in place
     * @param a
     *            negative slope, for {@code "leaky_relu"}
     * @param mode
     *            {@code "fan_in"} or {@code "fan_out"}
     * @param nonlinearity
     *            as {@link #calculateGain} takes it
     * @return the tensor
     */
    public static <T extends Tensor> T kaimingNormal_(T tensor, double a, String mode, String nonlinearity) {
        double fan = fan("kaiming_normal_", tensor, isIn(mode));
        double std = calculateGain(nonlinearity, a) / Math.sqrt(fan);
        return on(tensor, t -> t.normal_(0, std));
    }

    /**
     * Numbers of the standard normal distribution from -2 to 2. As {@code torch.nn.init.trunc_normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @return the tensor
     */
    public static <T extends Tensor> T truncNormal_(T tensor) {
        return truncNormal_(tensor, 0, 1, -2, 2);
    }

    /**
     * Numbers of a normal distribution from -2 to 2. As {@code torch.nn.init.trunc_normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @param mean
     *            in the middle
     * @param std
     *            standard deviation
     * @return the tensor
     */
    public static <T extends Tensor> T truncNormal_(T tensor, double mean, double std) {
        return truncNormal_(tensor, mean, std, -2, 2);
    }

    /**
     * Numbers of a normal distribution between two bounds. As {@code torch.nn.init.trunc_normal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            filled in place, outside the graph
     * @param mean
     *            in the middle
     * @param std
     *            standard deviation
     * @param from
     *            the least
     * @param to
     *            the greatest
     * @return the tensor
     */
    public static <T extends Tensor> T truncNormal_(T tensor, double mean, double std, double from, double to) {
        double low = cumulative((from - mean) / std);
        double high = cumulative((to - mean) / std);
        return on(tensor, t -> {
            t.uniform_(2 * low - 1, 2 * high - 1);
            Launch.into(ElementOp.ERF_INV, Launch.NONE, t.impl(), t.impl());
            return t.mul_(std * Math.sqrt(2)).add_(mean).clamp_(from, to);
        });
    }

    /**
     * Orthogonal rows or columns, with a gain of 1. As {@code torch.nn.init.orthogonal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more, on the CPU; filled in place
     * @return the tensor
     */
    public static <T extends Tensor> T orthogonal_(T tensor) {
        return orthogonal_(tensor, 1);
    }

    /**
     * Orthogonal rows or columns: Saxe and others, "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks", 2013. On a GPU it would take a QR factorization, whose workspace is not known here. As {@code torch.nn.init.orthogonal_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions or more, on the CPU; filled in place
     * @param gain
     *            factor, see {@link #calculateGain}
     * @return the tensor
     */
    public static <T extends Tensor> T orthogonal_(T tensor, double gain) {
        if (tensor.dim() < 2) {
            throw shape("orthogonal_", tensor, "only tensors with 2 or more dimensions are supported");
        }
        if (tensor.device().isCuda()) {
            throw new TensorException(
                    "orthogonal_ was asked of " + tensor.describe() + ": on a GPU it takes a QR factorization, "
                            + "which is not here. Initialize on the CPU and move the module then, as usual.");
        }
        int rows = (int) tensor.size(0);
        int columns = (int) (tensor.numel() / Math.max(1, rows));
        return on(tensor, t -> {
            try (Tensor flat = t.view(rows, columns);
                    Tensor drawn = Tensor.randn(TensorOptions.on(t.device()), rows, columns);
                    Tensor values = Tensor.of(TensorOptions.on(t.device()),
                            OrthogonalRows.of(drawn.toDoubleArray(), rows, columns, gain), rows, columns)) {
                return flat.copy_(values);
            }
        });
    }

    /**
     * Normal numbers, and in each column that share of zeros: Martens, "Deep learning via Hessian-free optimization", 2010. As {@code torch.nn.init.sparse_}.
     *
     * @param <T>
     *            its class
     * @param tensor
     *            of two dimensions; filled in place
     * @param sparsity
     *            share of each column that is zero
     * @param std
     *            of the others
     * @return the tensor
     */
    public static <T extends Tensor> T sparse_(T tensor, double sparsity, double std) {
        if (tensor.dim() != 2) {
            throw shape("sparse_", tensor, "only tensors with 2 dimensions are supported");
        }
        long rows = tensor.size(0);
        long zeros = (long) Math.ceil(sparsity * rows);
        return on(tensor, t -> {
            t.normal_(0, std);
            for (long column = 0; column < t.size(1); column++) {
                try (Tensor order = Tensor.randperm(rows).to(t.device()); Tensor rest = order.slice(0, 0, zeros)) {
                    t.set(0, rest, column);
                }
            }
            return t;
        });
    }

    /**
     * The factor that keeps a variance through a nonlinearity. As {@code torch.nn.init.calculate_gain}.
     *
     * @param nonlinearity
     *            {@code "linear"}, {@code "conv1d"} and its like, {@code "sigmoid"}, {@code "tanh"}, {@code "relu"}, {@code "leaky_relu"} or {@code "selu"}
     * @return the factor
     */
    public static double calculateGain(String nonlinearity) {
        return calculateGain(nonlinearity, 0.01);
    }

    /**
     * The factor that keeps a variance through a nonlinearity. As {@code torch.nn.init.calculate_gain}.
     *
     * @param nonlinearity
     *            {@code "linear"}, {@code "conv1d"} and its like, {@code "sigmoid"}, {@code "tanh"}, {@code "relu"}, {@code "leaky_relu"} or {@code "selu"}
     * @param param
     *            negative slope of {@code "leaky_relu"}
     * @return the factor
     */
    public static double calculateGain(String nonlinearity, double param) {
        return switch (nonlinearity) {
            case "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
                    "sigmoid" ->
                1;
            case "tanh" -> 5.0 / 3;
            case "relu" -> Math.sqrt(2);
            case "leaky_relu" -> Math.sqrt(2 / (1 + param * param));
            case "selu" -> 3.0 / 4;
            default -> throw new IllegalArgumentException("Unsupported nonlinearity \"" + nonlinearity
                    + "\": linear, conv1d to conv3d, sigmoid, tanh, relu, leaky_relu and selu have a gain.");
        };
    }

    private static boolean isIn(String mode) {
        if (!mode.equals("fan_in") && !mode.equals("fan_out")) {
            throw new IllegalArgumentException(
                    "Mode \"" + mode + "\" not supported: please use \"fan_in\" or \"fan_out\".");
        }
        return mode.equals("fan_in");
    }

    private static double fan(String what, Tensor tensor, boolean in) {
        if (tensor.dim() < 2) {
            throw shape(what, tensor, "fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
        }
        long field = tensor.numel() / Math.max(1, tensor.size(0) * tensor.size(1));
        return (double) tensor.size(in ? 1 : 0) * field;
    }

    private static TensorException shape(String what, Tensor tensor, String rule) {
        return new TensorException(
                what + " was asked of a tensor of shape " + Arrays.toString(tensor.shape()) + ": " + rule
                        + ". For a bias use zeros_ or uniform_.");
    }

    private static double cumulative(double x) {
        try (Tensor number = Tensor.of(TensorOptions.on(Device.cpu()).dtype(DType.FLOAT64),
                new double[]{x / Math.sqrt(2)});
                Tensor erf = number.erf()) {
            return (1 + erf.item()) / 2;
        }
    }

    private static Tensor diagonal(Tensor matrix) {
        try (Tensor diagonal = matrix.diagonal()) {
            return diagonal.fill_(1);
        }
    }

    /** [out, in]: the middle of each kernel. */
    private static Tensor middle(Tensor kernels) {
        Object[] brackets = new Object[kernels.dim()];
        brackets[0] = ":";
        brackets[1] = ":";
        for (int d = 2; d < brackets.length; d++) {
            brackets[d] = kernels.size(d) / 2;
        }
        return kernels.index(brackets);
    }

    private static <T extends Tensor> T on(T tensor, UnaryOperator<Tensor> fill) {
        try (GradMode.State off = GradMode.enter(false); Tensor values = tensor.detach()) {
            fill.apply(values);
        }
        return tensor;
    }
}
