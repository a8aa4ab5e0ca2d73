package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Members given by name instead of by a field, as {@code torch.nn.Module.register_buffer} and its like do; and members asked for
 * by path. In {@link Module#stateDict} they stand behind those of the fields, in the order in which they were registered. A field
 * of the same name may hold the same member: {@code pe = registerBuffer("pe", table)}; if it holds another, the field's counts.
 */
abstract sealed class RegisteredMembers extends Owner permits ListedMembers {

    private final Map<String, Object> registered = new LinkedHashMap<>();

    /**
     * A buffer by name, part of {@link Module#stateDict}.
     *
     * @param name
     *            without a dot; registering it again replaces the buffer, which is not closed
     * @param tensor
     *            taken over, as {@link Buffer}'s constructor does; null keeps the name free of a tensor
     * @return the buffer, or null
     * @throws IllegalArgumentException
     *             if the name is empty, has a dot, or is that of another kind of member
     */
    public final Buffer registerBuffer(String name, Tensor tensor) {
        return registerBuffer(name, tensor, true);
    }

    /**
     * A buffer by name.
     *
     * @param name
     *            without a dot; registering it again replaces the buffer, which is not closed
     * @param tensor
     *            taken over, as {@link Buffer}'s constructor does; null keeps the name free of a tensor
     * @param persistent
     *            false leaves it out of {@link Module#stateDict}; it moves with the module all the same
     * @return the buffer, or null
     * @throws IllegalArgumentException
     *             if the name is empty, has a dot, or is that of another kind of member
     */
    public final Buffer registerBuffer(String name, Tensor tensor, boolean persistent) {
        check(name, "buffer", Buffer.class);
        Buffer buffer = tensor == null ? null : tensor instanceof Buffer b ? b : new Buffer(tensor);
        if (buffer != null) {
            buffer.persistent(persistent);
        }
        Lifetimes.takes(this, buffer);
        Lifetimes.lost(registered.put(name, buffer));
        return buffer;
    }

    /**
     * A parameter by name.
     *
     * @param name
     *            without a dot; registering it again replaces the parameter, which is not closed
     * @param parameter
     *            null where the module has none under that name, as layers without a bias
     * @return the parameter, or null
     * @throws IllegalArgumentException
     *             if the name is empty, has a dot, or is that of another kind of member
     */
    public final Parameter registerParameter(String name, Parameter parameter) {
        check(name, "parameter", Parameter.class);
        Lifetimes.takes(this, parameter);
        Lifetimes.lost(registered.put(name, parameter));
        return parameter;
    }

    /**
     * A module inside this one by name; PyTorch's {@code add_module} is another name of the same. In a container it becomes
     * one of its modules: a {@link Sequential} runs it.
     *
     * @param <M>
     *            its class
     * @param name
     *            without a dot; registering it again replaces the module, which is not closed
     * @param module
     *            null where the module has none under that name
     * @return the module, or null
     * @throws IllegalArgumentException
     *             if the name is empty, has a dot, or is that of another kind of member; in a container, if the module is null
     */
    public final <M extends Module> M registerModule(String name, M module) {
        check(name, "module", Module.class);
        hold(name, module);
        return module;
    }

    /**
     * The same as {@link #registerModule}.
     *
     * @param name
     *            without a dot
     * @param module
     *            null where the module has none under that name
     * @throws IllegalArgumentException
     *             as {@link #registerModule} does
     */
    public final void addModule(String name, Module module) {
        registerModule(name, module);
    }

    /** Where a module given by name goes: containers have a place of their own. */
    void hold(String name, Module module) {
        Lifetimes.takes(this, module);
        Lifetimes.lost(registered.put(name, module));
    }

    /**
     * {@return the module inside at that path}
     *
     * @param path
     *            as {@link Module#namedModules} names them: {@code "layers.0.attention"}; empty for this one
     * @throws IllegalArgumentException
     *             if there is none; the message names those that are there
     */
    public final Module getSubmodule(String path) {
        return path.isEmpty() ? (Module) this : at(path, Module.class, "module");
    }

    /**
     * {@return the parameter at that path; borrowed}
     *
     * @param path
     *            as {@link Module#namedParameters} names them
     * @throws IllegalArgumentException
     *             if there is none; the message names those that are there
     */
    public final Parameter getParameter(String path) {
        return at(path, Parameter.class, "parameter");
    }

    /**
     * {@return the buffer at that path, persistent or not; borrowed}
     *
     * @param path
     *            as {@link Module#namedBuffers} names them
     * @throws IllegalArgumentException
     *             if there is none; the message names those that are there
     */
    public final Buffer getBuffer(String path) {
        return at(path, Buffer.class, "buffer");
    }

    /**
     * Puts another module in the place of one inside, or where none is, as {@code set_submodule} does. What stood there is not closed.
     *
     * @param path
     *            as {@link Module#namedModules} names them: {@code "layers.0.attention"}
     * @param module
     *            taken over
     * @throws IllegalArgumentException
     *             if the path is empty or leads through no module, or a field of a program's own cannot hold the module
     */
    public final void setSubmodule(String path, Module module) {
        setSubmodule(path, module, false);
    }

    /**
     * Puts another module in the place of one inside.
     *
     * @param path
     *            as {@link Module#namedModules} names them: {@code "layers.0.attention"}
     * @param module
     *            taken over
     * @param strict
     *            true refuses a path at which no module is
     * @throws IllegalArgumentException
     *             if the path is empty or leads through no module, or strict and leads to none, or a field of a program's own cannot
     *             hold the module
     */
    public final void setSubmodule(String path, Module module, boolean strict) {
        Module parent = (Module) this;
        String rest = path;
        Map<String, Module> children = parent.namedChildren();
        for (String step = step(children, rest); step != null; step = step(children, rest)) {
            parent = children.get(step);
            rest = rest.substring(step.length() + 1);
            children = parent.namedChildren();
        }
        if (rest.isEmpty() || !children.containsKey(rest) && (strict || rest.indexOf('.') >= 0)) {
            throw missing(path, Module.class, "module", rest, parent);
        }
        MemberFields.put(parent, rest, module);
    }

    private static String step(Map<String, Module> children, String path) {
        return children.keySet().stream().filter(name -> path.startsWith(name + ".")).findFirst().orElse(null);
    }

    private <T> T at(String path, Class<T> type, String what) {
        Module inside = (Module) this;
        String rest = path;
        while (true) {
            T found = Members.of(inside, type).get(rest);
            if (found != null) {
                return found;
            }
            // a list that is a field gives its members two-part names, so the longest step is not always one word
            Map<String, Module> children = inside.namedChildren();
            String step = step(children, rest);
            if (step == null) {
                throw missing(path, type, what, rest, inside);
            }
            rest = rest.substring(step.length() + 1);
            inside = children.get(step);
        }
    }

    private IllegalArgumentException missing(String path, Class<?> type, String what, String rest, Module inside) {
        String place = inside.getClass().getSimpleName();
        return new IllegalArgumentException("The " + what + " \"" + path + "\" was asked of a "
                + getClass().getSimpleName() + ", and " + (inside == this ? "it" : "its " + place)
                + " has no \""
                + rest + "\" that is or holds one: it has the modules " + inside.namedChildren().keySet()
                + (type == Module.class ? "" : " and of its own " + Members.of(inside, type).keySet())
                + ". Name one of these, with dots between.");
    }

    private void check(String name, String what, Class<?> type) {
        if (name == null || name.isEmpty() || name.indexOf('.') >= 0) {
            throw new IllegalArgumentException("A " + what + " was registered as \"" + name
                    + "\", which is no name of a member: dots part a member's path. Give a name without them.");
        }
        Object there = registered.get(name);
        for (Class<?> kind : new Class<?>[]{Parameter.class, Buffer.class, Module.class}) {
            if (there == null && kind != type) {
                there = Members.of((Module) this, kind).get(name);
            }
        }
        if (there != null && !type.isInstance(there)) {
            throw new IllegalArgumentException(
                    "A " + what + " was registered as \"" + name + "\", which is the name of a "
                            + there.getClass().getSimpleName() + " in this " + getClass().getSimpleName()
                            + ". Give another name.");
        }
    }

    final Map<String, Object> registered() {
        return registered;
    }
}
