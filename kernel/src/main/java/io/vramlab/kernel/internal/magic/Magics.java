package io.vramlab.kernel.internal.magic;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The magics that {@link ServiceLoader} finds, and {@code %lsmagic}. Safe from any thread. */
public final class Magics {

    /** So many names are told of those that begin as what was typed. */
    private static final int MOST_MEANT = 8;

    private Map<String, Magic> byName;

    /** All of them, by name. */
    public Collection<Magic> all() {
        return byName().values();
    }

    /** Whether there is one of that name, maybe under another. */
    public boolean has(String name) {
        return named(name) != null;
    }

    /** Other names for some of them. */
    public Set<String> otherNames() {
        return Aliases.NAMES.keySet();
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

    /** The one of that name, or that this is another name of; null if there is none. */
    public Magic named(String name) {
        Aliases.Meaning other = Aliases.NAMES.get(name);
        return byName().get(other == null ? name : other.magic());
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
        return magic.run(new MagicCall(magic.name(), arguments(use), use.body(),
                use.body() == null ? 0 : use.line() + 1, session));
    }

    private static String arguments(CellPart.Use use) {
        Aliases.Meaning other = Aliases.NAMES.get(use.name());
        return other == null ? use.arguments() : other.before(use.arguments());
    }

    /** Whether a magic, of those that there are, may declare something that code below it names. */
    public boolean mayDeclare(CellPart.Use use) {
        return named(use.name()).mayDeclare(arguments(use));
    }

    /** Whether a magic, of those that there are, changes nothing and only tells. */
    public boolean onlyTells(CellPart.Use use) {
        return named(use.name()).onlyTells(arguments(use));
    }

    /**
     * The magic that runs this use.
     *
     * @throws UsageException
     *             if there is none of that name, or it may not stand here
     */
    public Magic check(CellPart.Use use) throws UsageException {
        Magic magic = named(use.name());
        boolean cell = use.body() != null;
        String sign = cell ? "%%" : "%";
        if (magic == null) {
            throw new UsageException(unknown(sign, use.name(), use.arguments()));
        }
        if (cell && magic.kind() == Magic.Kind.LINE) {
            throw new UsageException("%%%%%1$s: %1$s takes one line, not the rest of the cell. Write %%%1$s"
                    .formatted(use.name()));
        }
        if (!cell && magic.kind() == Magic.Kind.CELL && !use.arguments().equals("--help")) {
            throw new UsageException("%%%1$s: %1$s takes the rest of the cell. Write %%%%%1$s on the cell's first line"
                    .formatted(use.name()));
        }
        return magic;
    }

    private String unknown(String sign, String name, String arguments) {
        String instead = Elsewhere.NAMES.get(name);
        if (instead != null) {
            return "%s%s: this is IPython's, and not here. %s".formatted(sign, name, instead);
        }
        Set<String> all = new TreeSet<>(byName().keySet());
        all.addAll(otherNames());
        all.addAll(Elsewhere.NAMES.keySet());
        Optional<String> near = hyphened(name, arguments).or(() -> Nearest.of(name, all));
        String meant = near.map(List::of).orElseGet(() -> begun(name)).stream().map(each -> sign + each)
                .collect(Collectors.joining(", "));
        String tip = near.map(Elsewhere.NAMES::get).map(each -> " That one is IPython's, and not here. " + each)
                .orElse("");
        return "%s%s: there is no magic of that name%s. %%lsmagic lists those that there are.%s".formatted(sign, name,
                meant.isEmpty() ? "" : " (did you mean " + meant + "?)", tip);
    }

    /** {@code memory-summary}, whose name ends where its hyphen stands, for {@code memory_summary}. */
    private Optional<String> hyphened(String name, String arguments) {
        return arguments.startsWith("-")
                ? Optional.of(name + "_" + arguments.substring(1).split("\\s", 2)[0].replace('-', '_'))
                        .filter(byName()::containsKey)
                : Optional.empty();
    }

    /** Those whose names begin with what was typed. */
    private List<String> begun(String name) {
        return byName().keySet().stream().filter(each -> name.length() > 1 && each.startsWith(name)).limit(MOST_MEANT)
                .toList();
    }
}
