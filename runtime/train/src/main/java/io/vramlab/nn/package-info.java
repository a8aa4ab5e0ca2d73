/**
 * Modules: layers, and models made of them.
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
