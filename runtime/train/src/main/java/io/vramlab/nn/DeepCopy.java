package io.vramlab.nn;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import sun.reflect.ReflectionFactory;

/**
 * What {@code copy.deepcopy} makes of a module: in each, parameters first, then buffers, then the modules inside, as Python's attributes stand;
 * what is met twice is copied once, so tied weights stay tied. Gradients are not copied. Fields of modules, tensors, and arrays, lists
 * and maps of them get copies; what else a field holds, numbers, functions, objects of a program's own, is shared.
 */
final class DeepCopy {

    private final Map<Object, Object> copies = new IdentityHashMap<>();

    @SuppressWarnings("unchecked")
    <M extends Module> M of(M module) {
        try (GradMode.State off = GradMode.enter(false)) {
            return (M) copy(module);
        }
    }

    private Module copy(Module module) {
        if (copies.get(module) instanceof Module done) {
            return done;
        }
        if (!module.parametrizations().isEmpty()) {
            throw new IllegalArgumentException("A deep copy was asked of a " + module.getClass().getSimpleName()
                    + " with parametrizations of " + module.parametrizations().keySet()
                    + ", which compute from that very module: make another one, parametrize it and load the state of this one.");
        }
        Module made = (Module) blank(module.getClass());
        copies.put(module, made);
        Members.of(module, Parameter.class).values().forEach(this::tensor);
        Members.of(module, Buffer.class).values().forEach(this::tensor);
        Members.of(module, Module.class).values().forEach(this::copy);
        for (Class<?> type = module.getClass(); type != Owner.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    move(field, module, made);
                }
            }
        }
        return made;
    }

    private static Object blank(Class<?> type) {
        try {
            Constructor<?> none = ReflectionFactory.getReflectionFactory().newConstructorForSerialization(type,
                    Owner.class.getDeclaredConstructor());
            return none.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("A deep copy was asked of a " + type.getName()
                    + ", which cannot be made without its constructor: make it anew and load the state of this one.",
                    e);
        }
    }

    private void move(Field field, Object from, Object to) {
        try {
            field.setAccessible(true);
            if (field.getType() == HolderCount.class) {
                // whoever holds the one does not hold the other
                field.set(to, new HolderCount());
            } else if (field.getType().isPrimitive() || field.isSynthetic()) {
                field.set(to, field.get(from));
            } else {
                boolean woven = Counted.class.isAssignableFrom(field.getDeclaringClass());
                Object copied = woven && field.get(from) instanceof Tensor one ? tensor(one) : value(field.get(from));
                field.set(to, copied);
                if (woven) {
                    // woven code lets go of what such a field holds
                    Lifetimes.hold(copied);
                }
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "A deep copy was asked of a " + from.getClass().getName() + ", but its field "
                            + field.getName() + " cannot be copied (" + e.getMessage()
                            + "): open its package to reflection, or make it anew and load the state of this one.",
                    e);
        }
    }

    private Object value(Object value) {
        return switch (value) {
            case null -> null;
            case Module module -> copy(module);
            case Tensor tensor -> uncounted(tensor);
            case ModuleHooks hooks -> hooks.copy();
            case Object[] array -> array(array);
            case List<?> list -> list(list);
            case Map<?, ?> map -> map(map);
            default -> value.getClass().isArray() ? primitives(value) : value;
        };
    }

    /** For a place that nobody counts; modules look after their parameters and buffers. */
    private Tensor uncounted(Tensor tensor) {
        Tensor made = tensor(tensor);
        if (!(made instanceof Parameter) && !(made instanceof Buffer)) {
            Lifetimes.escape(made);
        }
        return made;
    }

    private Tensor tensor(Tensor tensor) {
        if (copies.get(tensor) instanceof Tensor done) {
            return done;
        }
        if (!tensor.isLeaf()) {
            throw new IllegalArgumentException("A deep copy was asked of a module that holds " + tensor.describe()
                    + ", a result of "
                    + tensor.gradFn()
                    + ": only tensors created explicitly by the user (graph leaves) support it. Keep detach() of it.");
        }
        Tensor data = Tensor.wrap(Copies.clone(tensor.impl()));
        Tensor made = switch (tensor) {
            case Parameter parameter -> new Parameter(data);
            case Buffer buffer -> new Buffer(data, buffer.isPersistent());
            default -> data;
        };
        if (!(tensor instanceof Parameter)) {
            // Tensor.__deepcopy__ makes a scalar for a moment, to give it the copied storage
            tensor.newEmpty().close();
        }
        if (made == data) {
            Lifetimes.fresh(made);
        }
        made.requiresGrad_(tensor.requiresGrad());
        copies.put(tensor, made);
        return made;
    }

    private Object array(Object[] array) {
        Object[] made = (Object[]) Array.newInstance(array.getClass().getComponentType(), array.length);
        for (int i = 0; i < made.length; i++) {
            made[i] = value(array[i]);
        }
        return made;
    }

    private static Object primitives(Object array) {
        int length = Array.getLength(array);
        Object made = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, made, 0, length);
        return made;
    }

    private Object list(List<?> list) {
        List<Object> made = new ArrayList<>(list.size());
        list.forEach(each -> made.add(value(each)));
        return list instanceof ArrayList ? made : Collections.unmodifiableList(made);
    }

    private Object map(Map<?, ?> map) {
        Map<Object, Object> made = switch (map) {
            case IdentityHashMap<?, ?> identities -> new IdentityHashMap<>();
            case LinkedHashMap<?, ?> linked -> new LinkedHashMap<>();
            case TreeMap<?, ?> sorted -> new TreeMap<>();
            default -> new HashMap<>();
        };
        map.forEach((key, each) -> made.put(value(key), value(each)));
        return made;
    }
}
