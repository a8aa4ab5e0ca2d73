package io.vramlab.install.source;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.vramlab.install.source.UserProgram.Spot;
import io.vramlab.memory.Frame;

/**
 * What becomes of a call's result.
 *
 * @param keeps whether it is added to something that outlives the turn
 * @param cuts whether it is, without its graph
 * @param carries whether the next turn begins with it, graph and all
 */
public record Fate(boolean keeps, boolean cuts, boolean carries) {

    private static final Pattern CUT = Pattern
            .compile("\\.(item|detach|tolist|numpy)\\(|\\.data\\b(?!\\()|\\b(float|int|detach\\w*|to_cpu)\\(");
    private static final Pattern ADDS = Pattern
            .compile("\\.(append|extend|add|update|put|appendleft|push|insert|store)\\(");

    /** Of the innermost call that stands in a loop, and of those within it. */
    static Fate of(UserProgram program, List<Frame> user, int entry) {
        Fate all = new Fate(false, false, false);
        for (int i = Math.min(entry, user.size()); i < user.size(); i++) {
            Optional<Spot> spot = program.at(user.get(i));
            if (spot.isPresent()) {
                List<Statement> loops = Turn.loops(spot.get());
                all = all.and(of(program, spot.get(), loops));
                if (!loops.isEmpty()) {
                    return all;
                }
            }
        }
        return all;
    }

    private Fate and(Fate other) {
        return new Fate(keeps || other.keeps, cuts || other.cuts, carries || other.carries);
    }

    private static Fate of(UserProgram program, Spot spot, List<Statement> loops) {
        Statement statement = spot.statement();
        PythonFile file = spot.file();
        boolean looped = !loops.isEmpty();
        List<Statement> body = looped
                ? file.within(loops.getFirst())
                : file.function(statement).map(file::within).orElse(List.of());
        Set<String> own = statement.targets();
        boolean carried = looped && Statement.words(statement.read()).stream().anyMatch(own::contains)
                && body.stream().noneMatch(each -> each != statement && isCut(each)
                        && each.targets().stream().anyMatch(own::contains));
        boolean added = adds(statement, looped) || program.keeps(statement);
        boolean keeps = added && !isCut(program, statement);
        boolean cuts = added && isCut(program, statement);
        Set<String> names = new HashSet<>(own);
        for (Statement each : body) {
            if (each.index() > statement.index()
                    && Statement.words(each.read()).stream().anyMatch(names::contains)) {
                boolean adds = adds(each, looped) || program.keeps(each);
                keeps |= adds && !isCut(program, each);
                cuts |= adds && isCut(program, each);
                if (!adds && !isCut(each)) {
                    names.addAll(each.targets());
                }
            }
        }
        return new Fate(keeps, cuts, carried);
    }

    private static boolean isCut(UserProgram program, Statement statement) {
        return isCut(statement) || program.keepsCut(statement);
    }

    static boolean isCut(Statement statement) {
        return CUT.matcher(statement.text()).find();
    }

    /** The names that a statement gives something to, or adds something to, itself or by a function of the program's. */
    static Set<String> made(UserProgram program, Statement statement) {
        Set<String> made = new HashSet<>(statement.targets());
        boolean adds = !statement.isFunction() && ADDS.matcher(statement.text()).find();
        if (adds || program.keeps(statement)) {
            made.addAll(Statement.words(statement.text().substring(0, statement.text().indexOf('('))));
        }
        return made;
    }

    /** Whether a statement adds to a sum or a list, graph and all. */
    static boolean isAddedUp(Statement statement) {
        return adds(statement, true) && !isCut(statement) && !statement.isComprehension();
    }

    /** Whether a statement adds to something: to a list, a sum, an entry or an attribute. */
    private static boolean adds(Statement statement, boolean looped) {
        return isPut(statement) || statement.isAugmented() || statement.isComprehension()
                || statement.text().startsWith("yield ") || looped && isSum(statement) || isAttribute(statement);
    }

    /** What a statement gives to a list or a queue; else what it reads. */
    static String given(Statement statement) {
        Matcher adds = ADDS.matcher(statement.text());
        return statement.targets().isEmpty() && adds.find() ? statement.text().substring(adds.end()) : statement.read();
    }

    /** Whether it gives something to a list, a queue or an entry. */
    static boolean isPut(Statement statement) {
        return ADDS.matcher(statement.text()).find() || before(statement).contains("[");
    }

    /** Whether a name's value is added to itself. */
    static boolean isSum(Statement statement) {
        return statement.isAugmented() || !before(statement).isEmpty() && statement.read().contains("+")
                && Statement.words(statement.read()).containsAll(statement.targets());
    }

    static boolean isAttribute(Statement statement) {
        return before(statement).contains("self.");
    }

    /** What stands before the sign of an assignment; empty of what is none. */
    private static String before(Statement statement) {
        boolean none = statement.targets().isEmpty() || statement.isLoop();
        return none ? "" : statement.text().substring(0, statement.text().indexOf('='));
    }
}
