package io.vramlab.install.source;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.vramlab.install.source.UserProgram.Spot;
import io.vramlab.memory.Frame;

/**
 * What the source says of a call: in which loop it stands, whether a backward pass runs in each of its turns, after all of them, or
 * never, and what becomes of the result.
 *
 * @param role how the call stands to a backward pass
 * @param fate what becomes of the result
 */
public record Turn(Role role, Fate fate) {

    /** How a call stands to a backward pass. */
    public enum Role {
        /** Its file is not there. */
        UNKNOWN,
        /** No gradient is recorded. */
        WITHOUT_GRADIENT,
        /** It is repeated, and each turn has its backward pass. */
        STEP,
        /** It is repeated, and one backward pass comes after all turns. */
        PILE,
        /** It is repeated, and no backward pass follows. */
        LOOSE,
        /** It is not repeated. */
        ONCE
    }

    private static final Pattern EVERY = Pattern.compile("if .*(%|len\\(|accum|every).*");

    private enum Reach {
        NOTHING, RETURN, BACKWARD
    }

    static Turn of(UserProgram program, List<Frame> user, int entry) {
        List<Spot> known = user.stream().map(program::at).flatMap(Optional::stream).toList();
        Role role = known.isEmpty()
                ? Role.UNKNOWN
                : known.stream().anyMatch(program::isWithoutGradient)
                        ? Role.WITHOUT_GRADIENT
                        : role(program, user, entry);
        return new Turn(role, Fate.of(program, user, entry));
    }

    /** By the innermost loop that repeats a whole pass: one that calls its own layers repeats none. */
    private static Role role(UserProgram program, List<Frame> user, int entry) {
        Role inner = Role.ONCE;
        boolean ownBackward = false;
        for (int i = entry; i < user.size(); i++) {
            Optional<Spot> spot = program.at(user.get(i));
            for (Statement loop : spot.map(Turn::loops).orElse(List.of())) {
                List<Statement> body = spot.get().file().within(loop);
                if (body.stream().anyMatch(program::runsBackward)) {
                    return inner == Role.PILE || isNowAndThen(program, spot.get().file(), body) ? Role.PILE : Role.STEP;
                }
                boolean ofLayers = loop.isLoop() && spot.get().statement().callsAny(loop.targets());
                if (inner == Role.ONCE && !ofLayers && ownBackward) {
                    return Role.STEP;
                }
                if (inner == Role.ONCE && !ofLayers) {
                    Role here = isFollowed(program, user, i, loop) ? Role.PILE : Role.LOOSE;
                    if (loop.isLoop()) {
                        return here;
                    }
                    // a list of losses may be of one pass's results
                    inner = program.callsModel(spot.get().statement()) ? here : inner;
                }
            }
            ownBackward |= spot.filter(Turn::isBeforeBackward).isPresent();
        }
        return inner;
    }

    /** Whether its function runs a backward pass after it, as one does that an optimizer's step is given. */
    private static boolean isBeforeBackward(Spot spot) {
        return spot.file().function(spot.statement()).isPresent()
                && spot.file().after(spot.statement()).stream().anyMatch(UserProgram::isBackward);
    }

    /** Whether a loop adds up what only every so many turns a backward pass is run on. */
    private static boolean isNowAndThen(UserProgram program, PythonFile file, List<Statement> body) {
        return body.stream().filter(each -> UserProgram.isBackward(each)).anyMatch(backward -> {
            Optional<Statement> when = file.enclosing(backward).stream()
                    .filter(head -> head.index() > body.getFirst().index() && EVERY.matcher(head.text()).matches())
                    .findFirst();
            Set<String> read = Statement.words(backward.text());
            return when.isPresent() && body.stream().anyMatch(each -> Fate.isAddedUp(each)
                    && !file.within(when.get()).contains(each)
                    && Fate.made(program, each).stream().anyMatch(read::contains));
        });
    }

    /** The loops around a statement in its function, innermost first; a list made of a loop is one. */
    static List<Statement> loops(Spot spot) {
        List<Statement> loops = new ArrayList<>();
        if (spot.statement().isComprehension()) {
            loops.add(spot.statement());
        }
        spot.file().enclosing(spot.statement()).stream().takeWhile(head -> !head.isFunction()).filter(Statement::isLoop)
                .forEach(loops::add);
        return loops;
    }

    /** Whether one backward pass runs on what a loop made, there or where its function was called from. */
    private static boolean isFollowed(UserProgram program, List<Frame> user, int at, Statement loop) {
        PythonFile file = program.at(user.get(at)).orElseThrow().file();
        Set<String> made = new HashSet<>();
        file.within(loop).forEach(each -> made.addAll(Fate.made(program, each)));
        made.addAll(putAway(program, user, at));
        Reach reach = reach(program, file.after(loop), made);
        for (int i = at + 1; reach == Reach.RETURN && i < user.size(); i++) {
            Optional<Spot> call = program.at(user.get(i));
            if (call.isEmpty()) {
                return false;
            }
            String callee = user.get(i - 1).method();
            Statement statement = call.get().statement();
            if (program.runsBackward(statement, callee)) {
                return program.functionsWithBackward(statement, callee).stream()
                        .allMatch(function -> reach(program, function.file().within(function.statement()),
                                Statement.words(function.statement().text())) == Reach.BACKWARD);
            }
            made.clear();
            made.addAll(Fate.made(program, statement));
            reach = statement.text().startsWith("return")
                    ? Reach.RETURN
                    : reach(program, call.get().file().after(statement), made);
        }
        return reach == Reach.BACKWARD;
    }

    /** The attributes that the functions within a loop's call add something to. */
    private static Set<String> putAway(UserProgram program, List<Frame> user, int at) {
        Set<String> put = new HashSet<>();
        for (int i = 0; i < at; i++) {
            program.at(user.get(i)).ifPresent(spot -> spot.file().function(spot.statement()).map(spot.file()::within)
                    .orElse(List.of()).stream().filter(each -> each.index() >= spot.statement().index())
                    .flatMap(each -> Fate.made(program, each).stream()).filter(name -> name.startsWith("self."))
                    .forEach(put::add));
        }
        return put;
    }

    /** Whether a statement calls a function of the program's that runs a backward pass, once, on attributes that were put away. */
    private static boolean takesUp(UserProgram program, Statement statement, Set<String> made) {
        Set<String> put = made.stream().filter(name -> name.startsWith("self.")).collect(Collectors.toSet());
        return !put.isEmpty() && program.runsBackward(statement) && !UserProgram.isBackward(statement)
                && program.functionsWithBackward(statement, "").stream()
                        .anyMatch(function -> reach(program,
                                function.file().within(function.statement()).stream().skip(1).toList(),
                                new HashSet<>(put), false) == Reach.BACKWARD);
    }

    /** Follows names through statements, to a backward pass that is run once for all of them or out of the function. */
    private static Reach reach(UserProgram program, List<Statement> after, Set<String> made) {
        return reach(program, after, made, true);
    }

    private static Reach reach(UserProgram program, List<Statement> after, Set<String> made, boolean calls) {
        int loop = -1;
        for (Statement statement : after) {
            loop = loop >= 0 && statement.indent() <= loop ? -1 : loop;
            if (loop < 0 && calls && takesUp(program, statement, made)) {
                return Reach.BACKWARD;
            }
            if (Statement.words(statement.read()).stream().anyMatch(made::contains)) {
                if (program.runsBackward(statement)) {
                    return loop < 0 ? Reach.BACKWARD : Reach.NOTHING;
                }
                made.addAll(Fate.made(program, statement));
                if (statement.text().startsWith("return")) {
                    return Reach.RETURN;
                }
            }
            loop = loop < 0 && statement.isLoop() ? statement.indent() : loop;
        }
        return Reach.NOTHING;
    }
}
