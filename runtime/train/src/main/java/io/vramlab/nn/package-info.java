/**
 * Modules: layers, and models made of them. PyTorch's {@code torch.nn} is one flat list of names, and so is this package, that
 * what is known from there is found here. By family, with the class to begin at:
 *
 * <table>
 * <caption>Families of modules</caption>
 * <tr><td>containers</td><td>{@link Sequential}, {@link ModuleList}, {@link ModuleDict}, {@link ParameterList}</td></tr>
 * <tr><td>linear</td><td>{@link Linear}, {@link Bilinear}, {@link Identity}</td></tr>
 * <tr><td>convolutions</td><td>{@link Conv2d}, {@link ConvTranspose2d}, {@link ConvOptions}, {@link Unfold}</td></tr>
 * <tr><td>pools</td><td>{@link MaxPool2d}, {@link AvgPool2d}, {@link AdaptiveAvgPool2d}, {@link MaxUnpool2d}</td></tr>
 * <tr><td>pads, sizes</td><td>{@link ReflectionPad2d}, {@link Upsample}, {@link PixelShuffle}, {@link Flatten}</td></tr>
 * <tr><td>norms</td><td>{@link BatchNorm2d}, {@link LayerNorm}, {@link GroupNorm}, {@link RMSNorm},
 * {@link LocalResponseNorm}</td></tr>
 * <tr><td>activations</td><td>{@link ReLU}, {@link GELU}, {@link SiLU}, {@link Softmax}; in place with
 * {@code new ReLU(true)}</td></tr>
 * <tr><td>dropout</td><td>{@link Dropout}, {@link Dropout2d}, {@link AlphaDropout}</td></tr>
 * <tr><td>tables</td><td>{@link Embedding}, {@link EmbeddingBag}</td></tr>
 * <tr><td>recurrent</td><td>{@link LSTM}, {@link GRU}, {@link LSTMCell}, {@link PackedSequence}</td></tr>
 * <tr><td>attention</td><td>{@link MultiheadAttention}, {@link Transformer}, {@link TransformerEncoderLayer}</td></tr>
 * <tr><td>losses</td><td>{@link CrossEntropyLoss}, {@link MSELoss}, {@link BCEWithLogitsLoss}, {@link CTCLoss},
 * {@link AdaptiveLogSoftmaxWithLoss}</td></tr>
 * <tr><td>sizes from the first input</td><td>{@link LazyLinear}, {@link LazyConv2d}, {@link LazyBatchNorm2d}</td></tr>
 * <tr><td>around modules</td><td>{@link Parametrizations}, {@link AveragedModel}, {@link GradientClipping},
 * {@link RemovableHandle}</td></tr>
 * </table>
 *
 * <p>
 * A model is a class whose fields are layers and parameters; they are found through the fields, in the order of their
 * declaration:
 *
 * <pre>
 * class Net extends Module {
 *     final Linear first = new Linear(784, 1024);
 *     final Linear second = new Linear(1024, 10);
 *
 *     public Tensor forward(Tensor x) {
 *         return second.call(first.call(x).relu());
 *     }
 * }
 * var net = new Net();
 * var out = net.call(x);
 * </pre>
 *
 * <p>
 * <b>Call, not forward.</b> {@link io.vramlab.nn.Module#call} runs {@code forward} in a {@link io.vramlab.tensor.Scope}
 * of its own: whatever {@code forward} made and did not return is let go when it ends, except what the graph holds for
 * backward. So a model's intermediate results need no {@code close}.
 *
 * <p>
 * <b>The moment of release.</b> In Python {@code x = layer(x)} lets the old {@code x} go as soon as the new one exists.
 * Java has no such moment; an intermediate that the graph does not hold lives until its {@code forward} ends. Where that
 * matters (without gradients, or before an operation that saves its result and not its input), there are three ways to
 * have Python's moment: {@link io.vramlab.nn.Sequential}, which releases each activation once the next exists;
 * {@link io.vramlab.tensor.Ref}, which is rebound as a Python name is; and {@code close}.
 */
package io.vramlab.nn;
