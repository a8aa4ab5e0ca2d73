package io.vramlab.kernel.magic;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Nearest;
import java.util.Collection;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The magics that {@link ServiceLoader} finds, and {@code %lsmagic}. Safe from any thread. */
public final class Magics {

    private Map<String, Magic> byName;

    /** All of them, by name. */
    public Collection<Magic> all() {
        return byName().values();
    }

    /** Whether there is one of that name. */
    public boolean has(String name) {
        return byName().containsKey(name);
    }

    /** Looks for them at the first use: loading what they are made of shall not keep a frontend waiting for the kernel. */
    private synchronized Map<String, Magic> byName() {
        if (byName == null) {
            Map<String, Magic> found = new TreeMap<>();
            ServiceLoader.load(Magic.class, Magics.class.getClassLoader())
                    .forEach(each -> found.put(each.name(), each));
            Magic list = new ListMagics(this);
            found.put(list.name(), list);
            byName = found;
        }
        return byName;
    }

    /** The one of that name; null if there is none. */
    public Magic named(String name) {
        return byName().get(name);
    }

    /**
     * Runs a magic.
     *
     * @throws UsageException
     *             if there is none of that name, or it may not stand here
     * @throws Exception
     *             what it threw
     */
    public Object run(CellPart.Use use, Session session) throws Exception {
        Magic magic = check(use);
        boolean cell = use.body() != null;
        return magic.run(new MagicCall(use.name(), use.arguments(), use.body(), cell ? use.line() + 1 : 0, session));
    }

    /** Whether a magic, of those that there are, may declare something that code below it names. */
    public boolean mayDeclare(CellPart.Use use) {
        return byName().get(use.name()).mayDeclare(use.arguments());
    }

    /**
     * The magic that runs this use.
     *
     * @throws UsageException
     *             if there is none of that name, or it may not stand here
     */
    public Magic check(CellPart.Use use) throws UsageException {
        Magic magic = byName().get(use.name());
        boolean cell = use.body() != null;
        String sign = cell ? "%%" : "%";
        if (magic == null) {
            throw new UsageException("%s%s: there is no magic of that name%s. %%lsmagic lists those that there are"
                    .formatted(sign, use.name(), suggestion(use.name())));
        }
        if (cell && magic.kind() == Magic.Kind.LINE) {
            throw new UsageException("%%%%%1$s: %1$s takes one line, not the rest of the cell. Write %%%1$s"
                    .formatted(use.name()));
        }
        if (!cell && magic.kind() == Magic.Kind.CELL) {
            throw new UsageException("%%%1$s: %1$s takes the rest of the cell. Write %%%%%1$s on the cell's first line"
                    .formatted(use.name()));
        }
        return magic;
    }

    private String suggestion(String name) {
        return Nearest.of(name, byName().keySet()).map(each -> " (did you mean %" + each + "?)").orElse("");
    }
}
