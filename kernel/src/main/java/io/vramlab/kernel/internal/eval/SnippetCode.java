package io.vramlab.kernel.internal.eval;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The code of one snippet's class, which can be exchanged while its holder stays: whoever calls a method that the user
 * declared comes to its newest code, also from code that is older. Safe from any thread.
 */
public final class SnippetCode {

    private static final MethodHandle FIND;

    static {
        try {
            FIND = MethodHandles.lookup().findVirtual(SnippetCode.class, "find",
                    MethodType.methodType(MethodHandle.class, MutableCallSite.class, String.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String className;
    private final SnippetLoader loader;
    private final List<MutableCallSite> sites = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private byte[] bytes;
    private SnippetLines lines;
    private byte[] next;
    private Class<?> code;

    SnippetCode(String className, SnippetLoader loader, byte[] bytes, SnippetLines lines) {
        this.className = className;
        this.loader = loader;
        this.bytes = bytes;
        this.lines = lines;
    }

    /** For holders alone: links one of their calls. */
    public static CallSite link(MethodHandles.Lookup holder, String name, MethodType type) {
        SnippetLoader loader = (SnippetLoader) holder.lookupClass().getClassLoader();
        return loader.code().link(name, type);
    }

    private synchronized CallSite link(String name, MethodType type) {
        MutableCallSite site = new MutableCallSite(type);
        sites.add(site);
        names.add(name);
        unlink(site, name);
        return site;
    }

    /** The next call looks for the code. */
    private void unlink(MutableCallSite site, String name) {
        site.setTarget(MethodHandles.foldArguments(MethodHandles.exactInvoker(site.type()),
                MethodHandles.insertArguments(FIND, 0, this, site, name)));
    }

    @SuppressWarnings("unused") // by method handle
    private synchronized MethodHandle find(MutableCallSite site, String name)
            throws NoSuchMethodException, IllegalAccessException {
        MethodHandle found = MethodHandles.publicLookup().findStatic(code(), name, site.type());
        site.setTarget(found);
        return found;
    }

    /**
     * Takes other bytes for the class; what runs meanwhile runs the former ones, until {@link #located}.
     *
     * @return false if they need another holder
     */
    synchronized boolean replace(byte[] other) {
        if (!SplitSnippet.canSplit(other) || !SplitSnippet.of(bytes).sameHolder(SplitSnippet.of(other))) {
            return false;
        }
        next = other;
        return true;
    }

    /** Tells where the lines stand of the code that runs from now on. */
    synchronized void located(SnippetLines now) {
        if (next == null && lines != null && (now == null || now.sameAs(lines))) {
            return;
        }
        bytes = next == null ? bytes : next;
        next = null;
        lines = now;
        code = null;
        for (int i = 0; i < sites.size(); i++) {
            unlink(sites.get(i), names.get(i));
        }
        MutableCallSite.syncAll(sites.toArray(MutableCallSite[]::new));
    }

    /** The class with the code. */
    synchronized Class<?> code() {
        if (code == null) {
            String name = SplitSnippet.codeName(className);
            try {
                code = loader.piece(Map.of(name, SplitSnippet.of(bytes).code()), lines).loadClass(name);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
        return code;
    }
}
