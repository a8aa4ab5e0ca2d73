package io.vramlab.optim;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The parameters of one step that one launch can take together: of one device and dtype, with their gradients and
 * states. Everything in it is borrowed.
 */
final class LaunchGroup {

    private record Key(Device device, DType dtype) {
    }

    final List<TensorImpl> params = new ArrayList<>();
    final List<TensorImpl> grads = new ArrayList<>();
    final List<ParamState> states = new ArrayList<>();

    void add(TensorImpl param, TensorImpl grad, ParamState state) {
        params.add(param);
        grads.add(grad);
        states.add(state);
    }

    int size() {
        return params.size();
    }

    /** A tensor of each state. */
    List<TensorImpl> all(String name) {
        List<TensorImpl> list = new ArrayList<>(states.size());
        for (ParamState s : states) {
            list.add(s.get(name));
        }
        return list;
    }

    /** Each parameter alone, as the for-loop form takes them. */
    List<LaunchGroup> singles() {
        List<LaunchGroup> singles = new ArrayList<>(size());
        for (int i = 0; i < size(); i++) {
            LaunchGroup one = new LaunchGroup();
            one.add(params.get(i), grads.get(i), states.get(i));
            singles.add(one);
        }
        return singles;
    }

    /** The parts of which something is true and is not, in the order in which they first appear. */
    Collection<LaunchGroup> parts(Predicate<TensorImpl> property) {
        Map<Boolean, LaunchGroup> parts = new LinkedHashMap<>();
        for (int i = 0; i < size(); i++) {
            parts.computeIfAbsent(property.test(params.get(i)), k -> new LaunchGroup()).add(params.get(i), grads.get(i),
                    states.get(i));
        }
        return parts.values();
    }

    /** Parts of one device and dtype each, in the order in which these first appear. */
    Collection<LaunchGroup> byDeviceAndDtype() {
        Map<Key, LaunchGroup> parts = new LinkedHashMap<>();
        for (int i = 0; i < size(); i++) {
            TensorImpl p = params.get(i);
            parts.computeIfAbsent(new Key(p.device(), p.dtype()), k -> new LaunchGroup()).add(p, grads.get(i),
                    states.get(i));
        }
        return parts.values();
    }
}
