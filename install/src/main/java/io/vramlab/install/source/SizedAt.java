package io.vramlab.install.source;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.vramlab.install.source.UserProgram.Spot;
import io.vramlab.memory.Frame;

/**
 * Follows what a call reads back to what sets its size: numbers that a loop runs through, that are chosen or taken by their place; a number
 * that a loop makes larger; one that is drawn. Names are followed within a function and to the calls around it.
 */
final class SizedAt {

    private static final Pattern WHOLE = Pattern
            .compile("(?<![\\w.])[2-9]\\d*(_\\d+)*(?![\\w.])|(?<![\\w.])1\\d+(_\\d+)*(?![\\w.])");
    private static final Pattern FRACTION = Pattern.compile("\\d\\.\\d|\\de-?\\d");
    private static final Pattern BRACKET = Pattern.compile("[\\[({].*");
    private static final Pattern RANGE = Pattern.compile("\\brange\\([^()]*\\)");
    private static final Pattern ITERATED = Pattern.compile("\\bfor (.+?) in (.+)");
    private static final Pattern GROWS = Pattern.compile("\\*|<<|\\+ \\d{2,}|\\+= ?\\d{2,}");
    private static final Pattern PLAIN = Pattern.compile("\\b(min|max|int|round)\\(");
    private static final Pattern DRAWN = Pattern
            .compile("\\b(?!torch)\\w+\\.(randint|randrange|choices?|uniform|gauss|integers"
                    + "|lognormal(variate)?|expovariate|normalvariate|paretovariate|random)\\(|\\b(randint|randrange)\\(");
    private static final Pattern BY_NAME = Pattern
            .compile(
                    "\\btorch\\.(empty|zeros|ones|full|randn?|randint)\\([^=]*?\\b[a-z]\\w*\\b(?! ?=)[^=]*, ?(\\w+=\\w+, ?)?device=");
    private static final Pattern OF_TENSORS = Pattern.compile("\\btorch\\.(rand|Generator)");
    /** A default or an argument, or one of several names that are given numbers. */
    private static final Pattern BATCH_SET = Pattern
            .compile("(?i)(.*\\b(\\w*batch(_?size)?|bs|bsz)\\b(: ?int)? ?= ?\\d.*"
                    + "|(\\w+, ?)*(\\w*batch(_?size)?|bs|bsz)(, ?\\w+)* = \\d.*)");

    /** Whole numbers between commas. */
    private static final Pattern NUMBERS = Pattern
            .compile("[\\[(]\\s*\\d[\\d_]*(\\s*,\\s*\\d[\\d_]*){2,}\\s*,?\\s*[\\])]");
    private static final Pattern OF_LAYERS = Pattern
            .compile("(?i)channel|width|dim|hidden|filter|feature|layer|kernel|stride|dilation|block|unit|milestone");
    private static final Pattern DEFAULT = Pattern.compile("\\w(: ?int)? ?= ?([2-9]|[1-9]\\d+)(_\\d+)*\\s*[,)]");

    private static final Pattern OFTEN = Pattern
            .compile("(?i).*(epoch|step|iter|seed|round|every|times|repeat|turn|log).*");

    private final UserProgram program;
    /** What the loops around the calls run through. */
    private final Set<String> through = new HashSet<>();
    private Spot listed;
    private Spot grown;
    private Spot drawn;

    private SizedAt(UserProgram program) {
        this.program = program;
    }

    /**
     * What makes one call larger than another: a list of sizes, a size that grows, one that is drawn, the first of these that there is.
     *
     * @param user the frames, innermost first
     * @param entry from which on
     */
    static Optional<Spot> varied(UserProgram program, List<Frame> user, int entry) {
        SizedAt sized = new SizedAt(program);
        for (int i = entry; i < user.size(); i++) {
            String called = i == 0 ? "" : user.get(i - 1).method();
            program.at(user.get(i)).ifPresent(spot -> {
                sized.given(spot, called);
                sized.look(spot);
            });
        }
        return Stream.of(Optional.ofNullable(sized.listed), Optional.ofNullable(sized.grown),
                Optional.ofNullable(sized.drawn)).flatMap(Optional::stream).findFirst();
    }

    /** The largest whole number above 1 in a line, -1 without one; what a comment says does not count. */
    static long largest(String line) {
        return WHOLE.matcher(line.replaceAll("#.*", "")).results()
                .mapToLong(SizedAt::number).max().orElse(-1);
    }

    /** The first list of whole numbers that only rise, to twice the first at least, outside of models and of what names their layers. */
    static Optional<Spot> schedule(UserProgram program) {
        return program.spots()
                .filter(spot -> !isModels(spot) && !OF_LAYERS.matcher(spot.statement().text()).find()
                        && isRising(spot.statement().text()))
                .findFirst();
    }

    private static boolean isModels(Spot spot) {
        return spot.file().enclosing(spot.statement()).stream()
                .anyMatch(head -> head.text().matches("class \\w+\\(.*Module.*"));
    }

    private static boolean isRising(String text) {
        return NUMBERS.matcher(text).results().anyMatch(list -> {
            long[] numbers = WHOLE.matcher(list.group()).results().mapToLong(SizedAt::number).toArray();
            boolean rises = numbers.length > 2;
            for (int i = 1; i < numbers.length; i++) {
                rises &= numbers[i] > numbers[i - 1];
            }
            return rises && numbers[numbers.length - 1] >= 2 * numbers[0];
        });
    }

    private static long number(MatchResult number) {
        return Long.parseLong(number.group().replace("_", ""));
    }

    /**
     * The numbers that set how large what some calls build is.
     *
     * @param user the frames, innermost first
     */
    static Optional<Spot> built(UserProgram program, List<Frame> user) {
        List<Spot> spots = user.stream().map(program::at).flatMap(Optional::stream).toList();
        return spots.stream()
                .flatMap(spot -> spot.file().function(spot.statement()).stream()
                        .filter(head -> DEFAULT.matcher(head.text()).find()).map(head -> new Spot(spot.file(), head)))
                .findFirst()
                .or(() -> spots.stream().flatMap(spot -> Statement.words(spot.statement().text()).stream()
                        .flatMap(word -> spot.file().statements().stream().filter(each -> each.parent() < 0
                                && each.targets().contains(word) && largest(each.text()) > 1
                                && !each.text().contains("Config("))
                                .map(each -> new Spot(spot.file(), each))))
                        .findFirst());
    }

    /** The innermost loop around one of some calls in no constructor that gives it what it reads, and that does not only count. */
    static Optional<Spot> loopOf(UserProgram program, List<Frame> user) {
        return user.stream().filter(frame -> !frame.method().equals("__init__")).map(program::at)
                .flatMap(Optional::stream)
                .flatMap(spot -> Turn.loops(spot).stream()
                        .filter(loop -> loop.isLoop() && !loop.text().contains(" in range(")
                                && Statement.words(spot.statement().text()).stream()
                                        .anyMatch(loop.targets()::contains))
                        .map(loop -> new Spot(spot.file(), loop)))
                .findFirst();
    }

    /** Where the program first says how large a batch is. */
    static Optional<Spot> batch(UserProgram program) {
        return program.spots().filter(spot -> !spot.statement().isLoop()
                && BATCH_SET.matcher(spot.statement().text()).matches()).findFirst();
    }

    /** Where tensors are made on a device with a size that a name has which is no constant's. */
    static Stream<Spot> byName(UserProgram program) {
        return program.spots().filter(spot -> !spot.statement().isFunction() && !spot.statement().isClass()
                && BY_NAME.matcher(spot.statement().text()).find()
                && spot.file().function(spot.statement())
                        .filter(head -> !head.functionName().equals("__init__")).isPresent());
    }

    /** A call of a function that is given what that loops through, or other numbers than by the program's other calls of it. */
    private void given(Spot call, String called) {
        Optional<Statement> function = called.isEmpty() || called.startsWith("<")
                ? Optional.empty()
                : program.spots().map(Spot::statement).filter(each -> each.functionName().equals(called)).findFirst();
        if (listed != null || function.isEmpty()) {
            return;
        }
        listed = Statement.words(call.statement().text()).stream()
                .filter(word -> GivenNames
                        .given(call.statement(), function.get(), argument -> Statement.words(argument).contains(word))
                        .stream().anyMatch(through::contains))
                .flatMap(word -> literal(call.file(), word).stream()).findFirst()
                .or(() -> Optional.of(call).filter(each -> isOtherNumbers(each, function.get()))).orElse(null);
    }

    private boolean isOtherNumbers(Spot call, Statement function) {
        Set<String> here = numbersGiven(call.statement(), function);
        return !here.isEmpty() && program.spots().map(Spot::statement)
                .filter(each -> !each.isFunction() && each.callsAny(Set.of(function.functionName())))
                .map(each -> numbersGiven(each, function)).anyMatch(other -> !other.isEmpty() && !other.equals(here));
    }

    /** Which parameters a call gives whole numbers, and which; but for those that say how often. */
    private static Set<String> numbersGiven(Statement call, Statement function) {
        Set<String> given = new TreeSet<>();
        WHOLE.matcher(call.text()).results().map(MatchResult::group).distinct()
                .forEach(number -> GivenNames.given(call, function, argument -> argument.strip().equals(number))
                        .stream().filter(name -> !OFTEN.matcher(name).matches())
                        .forEach(name -> given.add(name + "=" + number)));
        return given;
    }

    private void look(Spot spot) {
        PythonFile file = spot.file();
        Statement call = spot.statement();
        Set<String> words = new HashSet<>(Statement.words(call.read()));
        chosen(file, call);
        for (Statement each : before(spot).reversed()) {
            if (!each.isLoop() && each.targets().stream().anyMatch(words::contains)) {
                words.addAll(Statement.words(each.read()));
                chosen(file, each);
            }
        }
        for (Statement loop : Turn.loops(spot)) {
            iterated(file, loop, words);
            file.within(loop).stream().skip(1).filter(each -> grown == null && grows(each, words)).findFirst()
                    .ifPresent(each -> grown = new Spot(file, each));
        }
    }

    /** The statements of its function that come before a call. */
    private static List<Statement> before(Spot spot) {
        List<Statement> all = spot.file().function(spot.statement()).map(spot.file()::within)
                .orElse(spot.file().statements());
        return all.stream().filter(each -> each.index() < spot.statement().index() && !each.isFunction()).toList();
    }

    /** A statement that takes a number out of several or draws one. */
    private void chosen(PythonFile file, Statement each) {
        boolean draws = DRAWN.matcher(each.text()).find() && !OF_TENSORS.matcher(each.text()).find();
        if (drawn == null && draws) {
            drawn = new Spot(file, each);
        }
        for (String word : Statement.words(each.read())) {
            if (listed == null && (draws || each.text().contains(word + "["))) {
                listed = literal(file, word).orElse(null);
            }
        }
    }

    /** A loop, or a list made of one, whose own names the call reads, and that runs through numbers. */
    private void iterated(PythonFile file, Statement loop, Set<String> words) {
        Matcher head = ITERATED.matcher(loop.text());
        if (listed != null || !head.find()
                || Statement.words(head.group(1)).stream().noneMatch(words::contains)) {
            return;
        }
        String all = RANGE.matcher(head.group(2)).replaceAll("");
        through.addAll(Statement.words(all));
        listed = numbers(file, loop, all).or(() -> yielded(all)).orElse(null);
    }

    private static Optional<Spot> numbers(PythonFile file, Statement loop, String through) {
        return isNumbers(through)
                ? Optional.of(new Spot(file, loop))
                : Statement.words(through).stream().flatMap(word -> literal(file, word).stream()).findFirst();
    }

    /** The same of the loops by which a function of the program's that is run through gives one thing after another. */
    private Optional<Spot> yielded(String through) {
        Set<String> called = Statement.words(through);
        return program.spots().filter(spot -> spot.statement().text().startsWith("yield ")
                && spot.file().function(spot.statement()).filter(head -> called.contains(head.functionName()))
                        .isPresent())
                .flatMap(spot -> Turn.loops(spot).stream().map(each -> new Spot(spot.file(), each)))
                .flatMap(loop -> {
                    Matcher head = ITERATED.matcher(loop.statement().text());
                    return head.find()
                            ? numbers(loop.file(), loop.statement(), head.group(2)).stream()
                            : Stream.empty();
                }).findFirst();
    }

    /** Two whole numbers above 1 and more, and no fractions, in brackets. */
    private static boolean isNumbers(String text) {
        Matcher bracket = BRACKET.matcher(text);
        return bracket.find() && WHOLE.matcher(bracket.group()).results().limit(2).count() == 2
                && !FRACTION.matcher(text).find();
    }

    /** The statement that gives a name a list of numbers. */
    private static Optional<Spot> literal(PythonFile file, String word) {
        return file.statements().stream().filter(each -> each.targets().contains(word) && !each.isLoop()
                && BRACKET.matcher(each.read().strip()).lookingAt() && isNumbers(each.read()))
                .map(each -> new Spot(file, each)).findFirst();
    }

    /** Whether a statement makes a number that is read larger by itself, and calls nothing for it but what compares and rounds. */
    private static boolean grows(Statement statement, Set<String> words) {
        String read = PLAIN.matcher(statement.isAugmented() ? statement.text() : statement.read()).replaceAll("");
        return (statement.isAugmented() || statement.isOfItself())
                && statement.targets().stream().anyMatch(words::contains) && GROWS.matcher(read).find()
                && !read.contains("(") && !FRACTION.matcher(read).find();
    }
}
