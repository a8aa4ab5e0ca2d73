package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a module consists of, listed: modules, parameters and buffers by path, with {@code torch.nn.Module}'s options. */
abstract sealed class ListedMembers extends RegisteredMembers permits StoredMembers {

    private Module self() {
        return (Module) this;
    }

    /** {@return the modules directly inside, by field name} */
    public final Map<String, Module> namedChildren() {
        return Members.of(self(), Module.class);
    }

    /** {@return the modules directly inside} */
    public final List<Module> children() {
        return List.copyOf(namedChildren().values());
    }

    /** {@return this module and all inside it, each once, by path; this one's path is empty} */
    public final Map<String, Module> namedModules() {
        return namedModules("", true);
    }

    /**
     * {@return this module and all inside it, by path}
     *
     * @param prefix
     *            this one's path, before all others
     * @param removeDuplicate
     *            false tells a module that is used in several places under each of its paths
     */
    public final Map<String, Module> namedModules(String prefix, boolean removeDuplicate) {
        Map<String, Module> found = new LinkedHashMap<>();
        collect(prefix, found, identitySet(), removeDuplicate);
        return found;
    }

    private void collect(String path, Map<String, Module> found, Set<Module> seen, boolean removeDuplicate) {
        if (seen.add(self())) {
            found.put(path, self());
            namedChildren().forEach((name, m) -> ((ListedMembers) m).collect(join(path, name), found, seen,
                    removeDuplicate));
            if (!removeDuplicate) {
                // met again elsewhere it is told again; only inside itself it is not
                seen.remove(self());
            }
        }
    }

    /** {@return this module and all inside it, each once} */
    public final List<Module> modules() {
        return List.copyOf(namedModules().values());
    }

    /** {@return all parameters by path ({@code layers.0.weight}), each once; borrowed} */
    public final Map<String, Parameter> namedParameters() {
        return named(Parameter.class, "", true, true);
    }

    /**
     * {@return parameters by path; borrowed}
     *
     * @param prefix
     *            before every path, with a dot between; may be empty
     * @param recurse
     *            false for those of this module alone
     * @param removeDuplicate
     *            false tells a tied parameter under each of its paths
     */
    public final Map<String, Parameter> namedParameters(String prefix, boolean recurse, boolean removeDuplicate) {
        return named(Parameter.class, prefix, recurse, removeDuplicate);
    }

    /** {@return all parameters, each once; borrowed} */
    public final List<Parameter> parameters() {
        return parameters(true);
    }

    /**
     * {@return parameters, each once; borrowed}
     *
     * @param recurse
     *            false for those of this module alone
     */
    public final List<Parameter> parameters(boolean recurse) {
        return List.copyOf(named(Parameter.class, "", recurse, true).values());
    }

    /** {@return all buffers by path, each once; borrowed} */
    public final Map<String, Buffer> namedBuffers() {
        return named(Buffer.class, "", true, true);
    }

    /**
     * {@return buffers by path; borrowed}
     *
     * @param prefix
     *            before every path, with a dot between; may be empty
     * @param recurse
     *            false for those of this module alone
     * @param removeDuplicate
     *            false tells a buffer that is used in several places under each of its paths
     */
    public final Map<String, Buffer> namedBuffers(String prefix, boolean recurse, boolean removeDuplicate) {
        return named(Buffer.class, prefix, recurse, removeDuplicate);
    }

    /** {@return all buffers, each once; borrowed} */
    public final List<Buffer> buffers() {
        return buffers(true);
    }

    /**
     * {@return buffers, each once; borrowed}
     *
     * @param recurse
     *            false for those of this module alone
     */
    public final List<Buffer> buffers(boolean recurse) {
        return List.copyOf(named(Buffer.class, "", recurse, true).values());
    }

    private <T extends Tensor> Map<String, T> named(Class<T> type, String prefix, boolean recurse,
            boolean removeDuplicate) {
        Map<String, T> found = new LinkedHashMap<>();
        Set<Tensor> seen = identitySet();
        Map<String, Module> modules = recurse ? namedModules(prefix, removeDuplicate) : Map.of(prefix, self());
        modules.forEach((path, m) -> Members.of(m, type).forEach((name, t) -> {
            if (seen.add(t) || !removeDuplicate) {
                found.put(join(path, name), t);
            }
        }));
        return found;
    }

    static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    static <T> Set<T> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }
}
