package io.vramlab.install.source;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

import io.vramlab.install.source.UserProgram.Spot;
import io.vramlab.memory.Frame;

/**
 * Follows a call's result through the names it is given, in the function and, where that returns it, in those that called it, to the
 * statement that puts it where it outlives the turn.
 */
final class KeptAt {

    private static final Pattern LAYERS = Pattern.compile("\\bfor (\\w+) in .*");

    private final UserProgram program;
    private final Spot call;
    private final boolean graph;
    /** What the result, or something made of it, is called. */
    private final Set<String> names = new HashSet<>();
    private Statement put;
    private Statement attribute;
    private boolean returned;

    private KeptAt(UserProgram program, Spot call, boolean graph) {
        this.program = program;
        this.call = call;
        this.graph = graph;
    }

    /**
     * Where the result of a call is kept; nothing where the source does not show it.
     *
     * @param user the frames, innermost first
     * @param entry from which on
     * @param graph whether it counts only with its graph
     */
    static Optional<Spot> of(UserProgram program, List<Frame> user, int entry, boolean graph) {
        for (int i = entry; i < user.size(); i++) {
            Optional<Spot> spot = program.at(user.get(i));
            if (spot.isEmpty()) {
                return Optional.empty();
            }
            KeptAt here = new KeptAt(program, spot.get(), graph);
            here.follow();
            Statement found = here.put == null ? here.attribute : here.put;
            if (found != null) {
                return Optional.of(here.inside(found).orElse(new Spot(spot.get().file(), found)));
            }
            if (!here.returned) {
                return Optional.empty();
            }
        }
        return Optional.empty();
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
        names.addAll(statement.targets());
        see(statement, true);
        for (Statement each : call.file().after(statement)) {
            if (!each.isFunction() && handed(each).stream().anyMatch(names::contains)) {
                if (put == null) {
                    see(each, false);
                }
                names.addAll(each.targets());
            }
        }
    }

    private void see(Statement each, boolean first) {
        boolean looped = !Turn.loops(new Spot(call.file(), each)).isEmpty();
        boolean reads = !first || !handed(each).isEmpty();
        if (each.text().startsWith("return") || each.text().startsWith("yield ")) {
            returned = true;
        } else if (reads && (program.keeps(each) || Fate.isPut(each) || graph && looped && Fate.isSum(each)
                || first && isListOfTurns(each))) {
            put = each;
        } else if (reads && attribute == null && Fate.isAttribute(each)) {
            attribute = each;
        }
    }

    /** A list that is made of a loop, but for one whose turns are a model's own layers. */
    private static boolean isListOfTurns(Statement statement) {
        var loop = LAYERS.matcher(statement.text());
        return statement.isComprehension() && loop.find()
                && !Pattern.compile("\\b" + loop.group(1) + "\\(").matcher(statement.text()).find();
    }
}
