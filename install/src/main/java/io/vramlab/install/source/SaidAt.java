package io.vramlab.install.source;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.vramlab.install.source.UserProgram.Spot;
import io.vramlab.memory.Frame;

/** The statement of a program that says something: one that stands around a call, or the first of all. */
final class SaidAt {

    private static final Pattern CATCHES = Pattern
            .compile(
                    "except\\b(?!.*\\b(KeyError|ValueError|TypeError|ImportError|StopIteration|KeyboardInterrupt)\\b).*");

    private static final Pattern CHOOSES = Pattern
            .compile("(return|[\\w.]+ =) (\\[[^\\[]*\\bfor\\b.*\\bin\\b.*\\bif\\b.*\\]|[\\w.]+\\[[^\\]]*::\\w+\\])");

    private SaidAt() {
    }

    /** The innermost {@code with} around one of some calls that says it. */
    static Optional<Spot> around(UserProgram program, Collection<List<Frame>> calls, Saying saying) {
        return calls.stream().flatMap(List::stream).map(program::at).flatMap(Optional::stream)
                .flatMap(spot -> spot.file().enclosing(spot.statement()).stream()
                        .filter(head -> head.text().startsWith("with ") && saying.isIn(head.text()))
                        .map(head -> new Spot(spot.file(), head)))
                .findFirst();
    }

    /** The first {@code with} that says it. */
    static Optional<Spot> with(UserProgram program, Saying saying) {
        return program.spots().filter(spot -> spot.statement().text().startsWith("with ")
                && saying.isIn(spot.statement().text())).findFirst();
    }

    /** The first statement that says it and that is repeated: in a loop, or for each object of a class. */
    static Optional<Spot> repeated(UserProgram program, Saying saying) {
        return program.spots().filter(spot -> saying.isIn(spot.statement().text()) && isRepeated(spot)).findFirst();
    }

    private static boolean isRepeated(Spot spot) {
        return !spot.statement().text().startsWith("with ") && (!Turn.loops(spot).isEmpty() || spot.file()
                .function(spot.statement()).filter(head -> head.functionName().equals("__init__")).isPresent());
    }

    /** The first statement that says it. */
    static Optional<Spot> first(UserProgram program, Saying saying) {
        return all(program, saying).findFirst();
    }

    /** The first statement that says it in a function that is no constructor. */
    static Optional<Spot> late(UserProgram program, Saying saying) {
        return all(program, saying).filter(spot -> !spot.statement().isLoop() && spot.file().function(spot.statement())
                .filter(head -> !head.functionName().equals("__init__")).isPresent()).findFirst();
    }

    /** The last statement that says it. */
    static Optional<Spot> last(UserProgram program, Saying saying) {
        return all(program, saying).reduce((before, last) -> last);
    }

    /** The first statement outside of constructors that makes a list of some of another, by a condition or by every so many. */
    static Optional<Spot> chosen(UserProgram program) {
        return program
                .spots().filter(spot -> !spot.statement().isLoop() && CHOOSES.matcher(spot.statement().text()).matches()
                        && spot.file().function(spot.statement()).filter(head -> head.functionName().startsWith("__")
                                || head.functionName().equals("forward")).isEmpty())
                .findFirst();
    }

    /** Whether it is said by more than one statement, or by one that is reached from several. */
    static boolean isSeveral(UserProgram program, Saying saying) {
        List<Spot> said = all(program, saying).toList();
        return said.size() > 1 || said.stream().anyMatch(spot -> program.callers(spot).size() > 1);
    }

    private static Stream<Spot> all(UserProgram program, Saying saying) {
        return program.spots()
                .filter(spot -> !spot.statement().isFunction() && !spot.statement().isClass()
                        && !spot.statement().text().matches("(from|import) .*")
                        && saying.isIn(spot.statement().text()));
    }

    /**
     * What is done with an error that one of some calls raises: where it is put away, where its clause tries again, or the clause that
     * catches it.
     */
    static Optional<Spot> caught(UserProgram program, Collection<List<Frame>> calls) {
        Optional<Spot> put = program.spots()
                .flatMap(spot -> Patterns.keptError(spot.file(), spot.statement())
                        .map(each -> new Spot(spot.file(), each)).stream())
                .findFirst();
        return put.or(() -> clauses(program, calls)
                .flatMap(spot -> Patterns.retry(spot.file(), spot.statement())
                        .map(each -> new Spot(spot.file(), each)).stream())
                .findFirst()).or(() -> clauses(program, calls).findFirst());
    }

    /** The clauses that may catch what is raised there, innermost first; all where no call is known. */
    private static Stream<Spot> clauses(UserProgram program, Collection<List<Frame>> calls) {
        if (calls.isEmpty()) {
            return program.spots().filter(spot -> CATCHES.matcher(spot.statement().text()).matches());
        }
        return calls.stream().flatMap(List::stream).map(program::at).flatMap(Optional::stream)
                .flatMap(spot -> spot.file().enclosing(spot.statement()).stream()
                        .filter(head -> head.text().startsWith("try"))
                        .flatMap(head -> spot.file().after(head).stream()
                                .takeWhile(each -> each.indent() > head.indent()
                                        || each.text().matches("(except|else|finally)\\b.*"))
                                .filter(each -> each.indent() == head.indent()
                                        && CATCHES.matcher(each.text()).matches()))
                        .map(head -> new Spot(spot.file(), head)));
    }
}
