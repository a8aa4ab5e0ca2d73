package io.vramlab.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One dispatched operation.
 *
 * @param name
 *            with its overload, as {@code aten.addmm.default}
 * @param stack
 *            the number of its call site
 * @param module
 *            the number of the innermost module, 0 for none
 * @param arguments
 *            tensors as {@link TensorRef}, lists, texts, numbers as {@link Double} or {@link Long}, truth values, null
 * @param made
 *            storages that it made, in its results' order
 * @param node
 *            the node of autograd's graph that ran it, or an empty text
 * @param cudnn
 *            of a convolution, how its products are computed as cuDNN answered when the recorder asked it
 */
record Operation(String name, int stack, int module, Phase phase, List<Object> arguments, Map<String, Object> named,
        Object result, List<Made> made, String node, CudnnAnswers cudnn) implements PlanEvent {

    /** A new storage and its bytes. */
    record Made(long storage, long bytes) {
    }

    /** The name without namespace of overloads: {@code aten.addmm}. */
    String base() {
        return name.substring(0, name.lastIndexOf('.'));
    }

    Object argument(int i) {
        return i < arguments.size() ? arguments.get(i) : null;
    }

    /** An argument by position or, where it was given by name, by that. */
    Object argument(int i, String as) {
        return i < arguments.size() ? arguments.get(i) : named.get(as);
    }

    /** The form of the tensor at that position, or null. */
    TensorForm form(int i) {
        return argument(i) instanceof TensorRef t ? t.form() : null;
    }

    long number(int i, String as, long otherwise) {
        return argument(i, as) instanceof Number n ? n.longValue() : otherwise;
    }

    boolean flag(int i, String as, boolean otherwise) {
        return argument(i, as) instanceof Boolean b ? b : otherwise;
    }

    static List<TensorForm> forms(Object value) {
        List<TensorForm> found = new ArrayList<>();
        if (value instanceof TensorRef t) {
            found.add(t.form());
        } else if (value instanceof List<?> list) {
            list.forEach(v -> found.addAll(forms(v)));
        }
        return found;
    }
}
