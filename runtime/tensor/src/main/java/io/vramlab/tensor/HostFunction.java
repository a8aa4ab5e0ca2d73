package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.HostCopy;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.engine.BackwardEngine;
import java.util.ArrayList;
import java.util.List;

/**
 * An operation whose kernel is a library's on a GPU: here its formula runs on the host over copies, in float32 (or float64),
 * with the host's own graph for the gradients. It takes no device memory but what is handed in.
 */
final class HostFunction {

    /** The formula; arguments are borrowed, absent ones null. */
    interface Formula {
        Tensor[] of(Tensor[] arguments);
    }

    private HostFunction() {
    }

    private static TensorImpl copied(TensorImpl a) {
        try (Temps t = new Temps()) {
            TensorImpl host = t.own(TensorImpl.emptyStrided(Device.cpu(), a.dtype(), a.shape(), a.strides()));
            HostCopy.bytes(host, a, false);
            return wide(host);
        }
    }

    private static TensorImpl wide(TensorImpl host) {
        TensorImpl out = TensorImpl.empty(Device.cpu(), host.dtype() == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32,
                host.shape());
        return Copies.fill(out, host);
    }

    /** Elements that lie apart are fetched through a view of what holds them. */
    private static TensorImpl fetched(TensorImpl a) {
        if (a.isDense()) {
            return copied(a);
        }
        try (Temps t = new Temps()) {
            long last = 0;
            for (int d = 0; d < a.rank(); d++) {
                last += (a.shape()[d] - 1) * a.strides()[d];
            }
            TensorImpl run = t.own(a.alias(new long[]{last + 1}, new long[]{1}, a.offset()));
            TensorImpl host = t.own(TensorImpl.empty(Device.cpu(), a.dtype(), last + 1));
            HostCopy.bytes(host, run, false);
            return wide(t.own(host.alias(a.shape(), a.strides(), 0)));
        }
    }

    private static void put(TensorImpl out, TensorImpl values) {
        try (Temps t = new Temps()) {
            TensorImpl laid = t.own(TensorImpl.emptyStrided(Device.cpu(), out.dtype(), out.shape(), out.strides()));
            Launch.into(ElementOp.COPY, Launch.NONE, laid, values);
            HostCopy.bytes(out, laid, false);
        }
    }

    private static boolean isIdle(TensorImpl on) {
        return !on.driver().kernels().computes();
    }

    /** Fills the results. */
    static void forward(TensorImpl[] arguments, TensorImpl[] results, Formula formula) {
        if (isIdle(results[0])) {
            return;
        }
        try (GradMode.State off = GradMode.enter(false);
                GradMode.State exact = AutocastMode.enter(null);
                Scope scope = Scope.inner()) {
            Tensor[] made = formula.of(hosts(arguments, false));
            for (int i = 0; i < results.length; i++) {
                if (results[i] != null) {
                    put(results[i], made[i].impl());
                }
            }
        }
    }

    /** Fills the gradients of the arguments, null where not wanted, from those of the results, null where none came. */
    static void backward(TensorImpl[] arguments, TensorImpl[] gradOuts, TensorImpl[] gradIns, Formula formula) {
        if (isIdle(firstOf(arguments))) {
            return;
        }
        try (GradMode.State on = GradMode.enter(true);
                GradMode.State exact = AutocastMode.enter(null);
                Scope scope = Scope.inner()) {
            Tensor[] leaves = hosts(arguments, true);
            Tensor[] made = formula.of(leaves);
            List<TensorImpl> roots = new ArrayList<>();
            List<TensorImpl> grads = new ArrayList<>();
            for (int i = 0; i < gradOuts.length; i++) {
                if (gradOuts[i] != null && made[i].requiresGrad()) {
                    roots.add(made[i].impl());
                    grads.add(Tensor.wrap(fetched(gradOuts[i])).impl());
                }
            }
            List<TensorImpl> wanted = new ArrayList<>();
            for (int i = 0; i < gradIns.length; i++) {
                if (gradIns[i] != null) {
                    wanted.add(leaves[i].impl());
                }
            }
            TensorImpl[] found = BackwardEngine.run(roots, grads, false, false, wanted);
            int k = 0;
            for (TensorImpl gradIn : gradIns) {
                if (gradIn != null) {
                    TensorImpl g = found[k++];
                    if (g == null) {
                        Launch.into(ElementOp.FILL, new double[]{0}, gradIn);
                    } else {
                        put(gradIn, Tensor.wrap(g).impl());
                    }
                }
            }
        }
    }

    private static TensorImpl firstOf(TensorImpl[] arguments) {
        for (TensorImpl a : arguments) {
            if (a != null) {
                return a;
            }
        }
        throw new IllegalStateException("A formula without arguments has no gradient.");
    }

    private static Tensor[] hosts(TensorImpl[] arguments, boolean leaves) {
        Tensor[] hosts = new Tensor[arguments.length];
        for (int i = 0; i < hosts.length; i++) {
            if (arguments[i] != null) {
                hosts[i] = Tensor.wrap(fetched(arguments[i]));
                if (leaves) {
                    hosts[i].requiresGrad_(true);
                }
            }
        }
        return hosts;
    }
}
