package io.vramlab.install.source;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.vramlab.install.source.UserProgram.Spot;
import io.vramlab.memory.Frame;

/**
 * Follows a call's result through the names it is given, in the function and, where that returns it, in those that called it, to the
 * statement that puts it where it outlives the turn.
 */
final class KeptAt {

    private static final Pattern ENTRY = Pattern.compile("([\\w.]+)\\[([^\\]]*)\\] *[-+*/]?=(?!=)");
    private static final Pattern LAYERS = Pattern.compile("\\bfor (\\w+) in .*");

    private final UserProgram program;
    private final Spot call;
    private final boolean graph;
    /** What the result, or something made of it, is called. */
    private final Set<String> names = new HashSet<>();
    private Statement put;
    private Statement attribute;
    private boolean returned;
    /** Whether the next turn's call reads what came of this turn's, so that its graph stays whatever is done with it besides. */
    private boolean carried;

    private KeptAt(UserProgram program, Spot call, boolean graph) {
        this.program = program;
        this.call = call;
        this.graph = graph;
    }

    /**
     * Where the result of a call is kept, and the statement that hands it there where that is another function's; nothing where the
     * source does not show it.
     *
     * @param user the frames, innermost first
     * @param entry from which on
     * @param graph whether it counts only with its graph
     */
    static List<Spot> of(UserProgram program, List<Frame> user, int entry, boolean graph) {
        List<Spot> sum = List.of();
        for (int i = entry; i < user.size(); i++) {
            Optional<Spot> spot = program.at(user.get(i));
            if (spot.isEmpty()) {
                return sum;
            }
            KeptAt here = new KeptAt(program, spot.get(), graph);
            here.follow();
            Statement found = here.put == null ? here.attribute : here.put;
            if (found != null) {
                Spot own = new Spot(spot.get().file(), found);
                List<Spot> kept = here.inside(found).map(inside -> List.of(inside, own)).orElse(List.of(own));
                if (!here.returned || !Fate.isSum(found) || Fate.isAttribute(found)) {
                    return !sum.isEmpty() && Fate.isSum(found) ? sum : kept;
                }
                sum = sum.isEmpty() ? kept : sum; // what is given back may be put away by who called
            }
            if (!here.returned) {
                return sum;
            }
        }
        return sum;
    }

    /**
     * The first statement of no constructor that puts away what a model made in its function, or what its function is handed, of those
     * in a loop or in a function that is called again and again.
     *
     * @param graph whether it counts only with its graph
     */
    static Optional<Spot> byWords(UserProgram program, boolean graph) {
        return byWords(program, graph, (spot, word) -> isMade(program, spot, word))
                .or(() -> byWords(program, graph, KeptAt::isHanded));
    }

    private static Optional<Spot> byWords(UserProgram program, boolean graph, BiPredicate<Spot, String> which) {
        return program.spots().filter(spot -> Fate.isPut(spot.statement()) && isLater(spot))
                .filter(spot -> OnDevice.words(Fate.given(spot.statement()), graph).stream()
                        .anyMatch(word -> which.test(spot, word)))
                .findFirst();
    }

    private static boolean isHanded(Spot spot, String word) {
        return spot.statement().text().startsWith("self.") && spot.file().function(spot.statement())
                .map(head -> Statement.words(head.text().substring(head.text().indexOf('(') + 1)))
                .filter(words -> words.contains(word)).isPresent();
    }

    private static boolean isLater(Spot spot) {
        return spot.file().function(spot.statement())
                .map(head -> !head.functionName().startsWith("__") && !head.functionName().equals("forward"))
                .orElse(!Turn.loops(spot).isEmpty());
    }

    /** Whether a name is what a model's call before in the function gave. */
    private static boolean isMade(UserProgram program, Spot spot, String word) {
        List<Statement> all = spot.file().function(spot.statement()).map(spot.file()::within)
                .orElse(spot.file().statements());
        Set<String> made = new HashSet<>();
        for (Statement each : all) {
            if (each.index() < spot.statement().index() && !each.isFunction() && !each.isClass()
                    && (program.callsModel(each)
                            || Statement.words(each.read()).stream().anyMatch(made::contains))) {
                made.addAll(each.targets());
            }
        }
        return made.contains(word);
    }

    /** Where the function of the program's that a statement hands it to puts it away. */
    private Optional<Spot> inside(Statement statement) {
        return program.keepersOf(statement).flatMap(function -> {
            Set<String> given = new HashSet<>(GivenNames.given(statement, function.statement(),
                    argument -> statement == call.statement()
                            || OnDevice.words(argument, graph).stream().anyMatch(names::contains)));
            return function.file().within(function.statement()).stream().skip(1)
                    .filter(each -> {
                        boolean reads = handed(each).stream().anyMatch(given::contains);
                        given.addAll(reads ? each.targets() : Set.of());
                        return reads && (Fate.isPut(each) || Fate.isAttribute(each) && Fate.isSum(each));
                    }).limit(1).map(each -> new Spot(function.file(), each));
        }).findFirst();
    }

    /** What a statement gives to what it calls or assigns, as far as that may keep memory. */
    private Set<String> handed(Statement statement) {
        return OnDevice.words(Fate.given(statement), graph);
    }

    private void follow() {
        Statement statement = call.statement();
        carried = graph && isCarried();
        names.addAll(statement.targets());
        see(statement, true);
        for (Statement each : call.file().after(statement)) {
            if (!each.isFunction() && handed(each).stream().anyMatch(names::contains)) {
                if (put == null || isGivenBack(each)) {
                    see(each, false);
                }
                names.addAll(each.targets());
            }
        }
    }

    private void see(Statement each, boolean first) {
        boolean looped = !Turn.loops(new Spot(call.file(), each)).isEmpty();
        boolean reads = !first || !handed(each).isEmpty();
        if (isGivenBack(each)) {
            returned = true;
        } else if (reads && (program.keeps(each) || Fate.isPut(each) && (first || !isWrittenInto(each))
                || graph && looped && !carried && Fate.isSum(each) || first && isListOfTurns(each))) {
            put = each;
        } else if (reads && attribute == null && Fate.isAttribute(each)) {
            attribute = each;
        }
    }

    private static boolean isGivenBack(Statement statement) {
        return statement.text().startsWith("return") || statement.text().startsWith("yield ");
    }

    /** Whether an entry's assignment copies into a tensor's rows, or into what the call made, and keeps nothing. */
    private boolean isWrittenInto(Statement statement) {
        Matcher entry = ENTRY.matcher(statement.text());
        return entry.lookingAt() && (entry.group(2).contains(":") || statement.isAugmented() && !graph
                || names.contains(entry.group(1)));
    }

    private boolean isCarried() {
        Statement statement = call.statement();
        List<Statement> loops = Turn.loops(call);
        if (loops.isEmpty() || Fate.isSum(statement)) {
            return false;
        }
        Set<String> made = new HashSet<>(statement.targets());
        for (Statement each : call.file().within(loops.getFirst())) {
            if (each.index() > statement.index() && handed(each).stream().anyMatch(made::contains)) {
                made.addAll(each.targets());
            }
        }
        return handed(statement).stream().anyMatch(made::contains);
    }

    /** A list that is made of a loop, but for one whose turns are a model's own layers. */
    private static boolean isListOfTurns(Statement statement) {
        Matcher loop = LAYERS.matcher(statement.text());
        return statement.isComprehension() && loop.find()
                && !Pattern.compile("\\b" + loop.group(1) + "\\(").matcher(statement.text()).find();
    }
}
