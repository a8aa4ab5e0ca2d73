package io.vramlab.install.source;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.vramlab.install.source.UserProgram.Spot;
import io.vramlab.memory.Frame;

/** Lines of a program's source that a history cannot name: what keeps, sizes, catches or switches on. All as {@code file:line}. */
public final class SourceLines {

    private final UserProgram program;

    /** Of a program. */
    public SourceLines(UserProgram program) {
        this.program = program;
    }

    private Optional<String> place(Optional<Spot> spot) {
        return spot.map(program::place);
    }

    /**
     * Where the result of a call is put so that it outlives the turn, and the statement that hands it there where that is another
     * function's; nothing where the source does not show it.
     *
     * @param user the frames, innermost first
     * @param entry from which on
     * @param graph whether it counts only with its graph
     */
    public List<String> kept(List<Frame> user, int entry, boolean graph) {
        return KeptAt.of(program, user, entry, graph).stream().map(program::place).toList();
    }

    /** Where a function that a library calls with what a layer made puts that away. */
    public Optional<String> keptByHook() {
        return place(program.hooks()
                .flatMap(hook -> hook.file().within(hook.statement()).stream().skip(1)
                        .filter(each -> !each.isFunction() && Fate.isPut(each))
                        .map(each -> new Spot(hook.file(), each)))
                .findFirst());
    }

    /**
     * What makes one turn's call larger than another's: a list of sizes, a size that grows, one that is drawn.
     *
     * @param user the frames, innermost first
     * @param entry from which on
     */
    public Optional<String> varied(List<Frame> user, int entry) {
        return SizedAt.varied(program, user, entry).map(program::placeOfLargest);
    }

    /** A list of whole numbers of which each is larger than the one before, as of a schedule; none that sets a model's layers. */
    public Optional<String> schedule() {
        return SizedAt.schedule(program).map(program::placeOfLargest);
    }

    /** Where it is first said how large a batch is. */
    public Optional<String> batch() {
        return SizedAt.batch(program).map(program::placeOfLargest);
    }

    /**
     * The numbers that set how large what some calls build is: a default of one of their functions, or constants that their lines read.
     *
     * @param user the frames, innermost first
     */
    public Optional<String> sized(List<Frame> user) {
        return SizedAt.built(program, user).map(program::placeOfLargest);
    }

    /**
     * The loop that gives one of some calls what it builds: outside of constructors, and none that only counts.
     *
     * @param user the frames, innermost first
     */
    public Optional<String> loopOf(List<Frame> user) {
        return place(SizedAt.loopOf(program, user));
    }

    /** Where some of what was made before are picked out. */
    public Optional<String> chosen() {
        return place(SaidAt.chosen(program));
    }

    /** Whether something is said more than once, or in a function that is called from several places. */
    public boolean isSeveral(Saying saying) {
        return SaidAt.isSeveral(program, saying);
    }

    /** Where an error that some calls may raise is put away, tried again in its clause, or caught. */
    public Optional<String> caught(Collection<List<Frame>> calls) {
        return place(SaidAt.caught(program, calls));
    }

    /** The innermost {@code with} that says something around one of some calls; else the first of all. */
    public Optional<String> with(Collection<List<Frame>> calls, Saying saying) {
        return place(SaidAt.around(program, calls, saying).or(() -> SaidAt.with(program, saying)));
    }

    /** The first statement that says something and is repeated: in a loop, or for each object of a class. */
    public Optional<String> repeated(Saying saying) {
        return place(SaidAt.repeated(program, saying));
    }

    /** The first line that says something, of a statement of several too. */
    public Optional<String> first(Saying saying) {
        return SaidAt.first(program, saying).map(spot -> program.place(spot, saying));
    }

    /** The first that says something and is no constructor's, since what is made later is made beside more; else the first of all. */
    public Optional<String> late(Saying saying) {
        return SaidAt.late(program, saying).map(spot -> program.place(spot, saying)).or(() -> first(saying));
    }

    /** The last statement that says something. */
    public Optional<String> last(Saying saying) {
        return SaidAt.last(program, saying).map(spot -> program.place(spot, saying));
    }

    /** Where what a model made, or what a function is handed, is put away, by words alone. */
    public Optional<String> keptOfModel(boolean graph) {
        return place(KeptAt.byWords(program, graph));
    }

    /** Where a model is made. */
    public Optional<String> modelMade() {
        return place(program.modelsMade().findFirst());
    }

    /** Tensors whose size is a name's, each as the frames by which its line may be reached, innermost first. */
    public List<List<Frame>> sizedByName() {
        return SizedAt.byName(program).map(program::caller).toList();
    }

    /** The line by which a name's new value is computed from its old one, where only one does that. */
    public Optional<String> ofItself() {
        List<Spot> spots = program.spots().filter(program::isOfItselfByCall).limit(2).toList();
        return spots.size() == 1 ? place(Optional.of(spots.getFirst())) : Optional.empty();
    }

    /** The product of queries and keys in a function that writes an attention's scores. */
    public Optional<String> attention() {
        return place(program.spots()
                .filter(spot -> spot.statement().isFunction() && Patterns.isAttention(spot.file(), spot.statement()))
                .flatMap(spot -> spot.file().within(spot.statement()).stream().filter(Patterns::isProduct)
                        .map(each -> new Spot(spot.file(), each)))
                .findFirst());
    }

    /** The line of a frame; nothing where its file is not there. */
    public Optional<String> line(Frame frame) {
        return place(program.at(frame));
    }

    /** The innermost line of some frames that computes a name's new value from its old one. */
    public Optional<String> ofItself(List<Frame> user) {
        return place(user.stream().filter(frame -> program.isOfItself(List.of(frame))).map(program::at)
                .flatMap(Optional::stream).filter(spot -> !Fate.isPut(spot.statement())).findFirst());
    }

    /** The innermost line of some frames that gives a name a new value in each turn of a loop, while it has the old one. */
    public Optional<String> madeAgain(List<Frame> user) {
        return place(user.stream().filter(frame -> program.isMadeAgain(List.of(frame))).map(program::at)
                .flatMap(Optional::stream).findFirst());
    }

    /** Calls that look like a model's, each as the frames by which it may be reached, innermost first. */
    public List<List<Frame>> modelCalls() {
        Set<Spot> made = program.modelsMade().collect(Collectors.toSet());
        return program.modelCalls().filter(call -> program.at(call.getFirst())
                .filter(spot -> !spot.statement().isClass() && !made.contains(spot)
                        && !spot.statement().text().contains("torch.Generator("))
                .isPresent()).toList();
    }
}
