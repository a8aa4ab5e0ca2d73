package io.vramlab.install.source;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.vramlab.memory.Frame;

/** The files of a program that are there to be read, by the names that a snapshot has for them. */
public final class UserProgram {

    /** No file. */
    public static final UserProgram NONE = new UserProgram(Map.of(), Set.of());

    private static final int DEPTH = 6;
    /** Of a function so many calls are looked at. */
    private static final int MOST_CALLERS = 4;
    private static final int WIDEST = 120;
    private static final String MODULE = "<module>";
    private static final Pattern BACKWARD = Pattern.compile(
            "\\.backward\\(|\\bbackward\\(|autograd\\.grad\\((?!.*create_graph=True)|value_and_grad\\(|\\.minimize\\(");
    private static final Pattern NO_GRADIENT = Pattern.compile("no_grad|inference_mode|set_grad_enabled\\(False");
    /** What libraries do without gradients, whoever calls it. */
    private static final Pattern GENERATES = Pattern.compile("\\.generate\\(|[tT]rainer\\.(evaluate|predict)\\(");
    private static final Pattern NEVER = Pattern
            .compile("torch\\.(set_grad_enabled\\(False\\)|_C\\._set_grad.*False\\))");
    private static final Pattern CALL = Pattern.compile("(\\w+)\\s*\\(");
    /** What models are called, where no stack tells that one was called. */
    private static final Pattern MODEL = Pattern
            .compile("(?i)\\b\\w*(model|net|network|encoder|decoder|policy|critic|actor|agent|backbone|classifier"
                    + "|generator|student|teacher|module|learner|online|predictor|lm|gpt|unet|vae|flow)\\(|(?-i)\\b[A-Z]\\(");

    private static final Pattern HOOKED = Pattern.compile("register_\\w*hook\\((?:self\\.)?(\\w+)");
    private static final Pattern MODULE_CLASS = Pattern.compile("class (\\w+)\\(.*Module.*");
    private static final Pattern MODULE_MADE = Pattern.compile(
            "\\bnn\\.(Sequential|Linear|LSTM|GRU|RNN|Transformer\\w*|Conv\\w+|DataParallel)\\(|from_pretrained\\(|from_config\\(|\\bmodels\\.\\w+\\(");

    /** What libraries call the classes of whole models. */
    private static final Pattern MODEL_CLASS = Pattern.compile("\\b[A-Z]\\w*(Model|For[A-Z]\\w+)\\(");

    private final Map<String, PythonFile> files;
    private final Set<String> changed;
    private final Set<String> backward = new HashSet<>();
    /** Functions that add what they are given to something that outlives them: whether without its graph. */
    private final Map<String, Boolean> keepers = new HashMap<>();
    private final Set<Saying> said = EnumSet.noneOf(Saying.class);
    private final Set<String> modules;
    private final boolean never;
    private final boolean generates;

    private UserProgram(Map<String, PythonFile> files, Set<String> changed) {
        this.files = files;
        this.changed = changed;
        never = spots()
                .anyMatch(spot -> spot.statement().parent() < 0 && NEVER.matcher(spot.statement().text()).matches());
        String text = spots().map(spot -> spot.statement().text()).collect(Collectors.joining("\n"));
        for (Saying saying : Saying.values()) {
            if (saying.isIn(text)) {
                said.add(saying);
            }
        }
        modules = findModules();
        findBackward();
        spots().filter(spot -> spot.statement().isFunction() && !spot.statement().functionName().startsWith("__"))
                .forEach(spot -> Patterns.keepsCut(spot.file(), spot.statement())
                        .ifPresent(cut -> keepers.merge(spot.statement().functionName(), cut, Boolean::logicalAnd)));
        keepers.keySet().removeAll(backward);
        generates = spots().anyMatch(spot -> spot.statement().functionName().equals("generate"));
    }

    /** Of files by their names in the snapshot, but for those that are not what ran, as the functions of frames tell. */
    public static UserProgram of(Map<String, PythonFile> files, Set<Frame> frames) {
        Set<String> changed = frames.stream()
                .filter(frame -> files.containsKey(frame.file()) && !isWhatRan(files.get(frame.file()), frame))
                .map(Frame::file).collect(Collectors.toCollection(TreeSet::new));
        Map<String, PythonFile> same = new TreeMap<>(files);
        same.keySet().removeAll(changed);
        return same.isEmpty() && changed.isEmpty() ? NONE : new UserProgram(same, changed);
    }

    private static boolean isWhatRan(PythonFile file, Frame frame) {
        Optional<Statement> statement = file.at(frame.line());
        if (statement.isEmpty()) {
            return false;
        }
        String method = frame.method();
        String function = file.function(statement.get()).map(Statement::functionName).orElse(MODULE);
        return method.startsWith("<") && !method.equals(MODULE) || method.equals(function)
                || method.equals(statement.get().functionName())
                || file.enclosing(statement.get()).stream()
                        .anyMatch(head -> head.text().matches("class " + Pattern.quote(method) + "\\b.*"));
    }

    /** Whether nothing of it is known. */
    public boolean isUnknown() {
        return files.isEmpty();
    }

    /** What stands in the line of a frame; empty where its file is not there. */
    public String line(Frame frame) {
        return files.containsKey(frame.file()) ? cut(files.get(frame.file()).line(frame.line())) : "";
    }

    /** What stands in a line, as {@code file:line} without folders; empty where no file or more than one has that name. */
    public String line(String place) {
        int colon = place.lastIndexOf(':');
        List<String> named = files.keySet().stream()
                .filter(name -> colon > 0 && last(name).equals(place.substring(0, colon))).toList();
        return named.size() == 1
                ? cut(files.get(named.getFirst()).line(Integer.parseInt(place.substring(colon + 1))))
                : "";
    }

    private static String cut(String line) {
        return line.length() <= WIDEST ? line : line.substring(0, WIDEST) + " …";
    }

    private static String last(String name) {
        return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    }

    /** The names, without folders, of files that were found and are no longer what ran. */
    public List<String> changed() {
        return changed.stream().map(UserProgram::last).toList();
    }

    /** Whether it says something anywhere. */
    public boolean says(Saying saying) {
        return said.contains(saying);
    }

    /** Whether what failed is tried again where its error was caught, which is still there then. */
    public boolean retriesWhereCaught() {
        return spots().anyMatch(spot -> Patterns.retry(spot.file(), spot.statement()).isPresent());
    }

    /** Whether an error that was caught is put away as it is. */
    public boolean keepsErrors() {
        return spots().anyMatch(spot -> Patterns.keptError(spot.file(), spot.statement()).isPresent());
    }

    /** Whether a function of its own computes an attention's scores. */
    public boolean hasAttention() {
        return spots()
                .anyMatch(spot -> spot.statement().isFunction() && Patterns.isAttention(spot.file(), spot.statement()));
    }

    /** Whether a frame stands in a function that computes an attention's scores. */
    public boolean isAttention(Frame frame) {
        return at(frame).flatMap(spot -> spot.file().function(spot.statement())
                .filter(function -> Patterns.isAttention(spot.file(), function))).isPresent();
    }

    /** Whether a frame's line multiplies matrices. */
    public boolean isProduct(Frame frame) {
        return at(frame).filter(spot -> Patterns.isProduct(spot.statement())).isPresent();
    }

    /** Whether a frame stands in a function that computes a loss of logarithms of probabilities. */
    public boolean isLoss(Frame frame) {
        return at(frame).flatMap(spot -> spot.file().function(spot.statement())
                .filter(function -> Patterns.isLoss(this, spot.file(), function))).isPresent();
    }

    /** Whether a name's new value is computed from its old one, on one of some frames' lines. */
    public boolean isOfItself(List<Frame> frames) {
        return IntStream.range(0, frames.size()).anyMatch(i -> at(frames.get(i))
                .filter(spot -> isOfItself(spot) && (i == 0 || isHanded(spot.statement(), frames.get(i - 1).method())))
                .isPresent());
    }

    /** Whether a call is handed what its result replaces: a sum's old value is read when the call is done. */
    private static boolean isHanded(Statement statement, String callee) {
        String read = statement.read();
        int call = read.indexOf(callee + "(");
        return call < 0 || Statement.words(read.substring(call)).stream().anyMatch(statement.targets()::contains);
    }

    /**
     * Whether one of some frames' lines stands in a loop and gives a name a new value while the name has the old one: until the new one
     * is computed both are there.
     */
    public boolean isMadeAgain(List<Frame> frames) {
        return frames.stream().map(this::at).flatMap(Optional::stream).anyMatch(this::isMadeAgain);
    }

    private boolean isMadeAgain(Spot spot) {
        Set<String> names = spot.statement().targets();
        Optional<Statement> loop = spot.file().enclosing(spot.statement()).stream()
                .takeWhile(head -> !head.isFunction()).filter(Statement::isLoop).findFirst();
        return !names.isEmpty() && !spot.statement().isAugmented() && loop.isPresent()
                && spot.file().within(loop.get()).stream().noneMatch(each -> names.stream().anyMatch(
                        name -> each.text().matches("del .*\\b" + Pattern.quote(name) + "\\b.*")
                                || each.text().matches(Pattern.quote(name) + " = None")));
    }

    /** The statement of a frame, without comments and what strings say; empty where its file is not there. */
    public String statement(Frame frame) {
        return at(frame).map(spot -> spot.statement().text()).orElse("");
    }

    /** Whether one of some frames' lines stands where an error is caught. */
    public boolean isCaught(List<Frame> frames) {
        return frames.stream().map(this::at).flatMap(Optional::stream).anyMatch(spot -> spot.file()
                .enclosing(spot.statement()).stream().anyMatch(head -> head.text().startsWith("try")));
    }

    /** Whether something makes one call of some frames' larger than another: a list of sizes, one that grows, one that is drawn. */
    public boolean isVaried(List<Frame> frames, int entry) {
        return SizedAt.varied(this, frames, entry).isPresent();
    }

    /** Whether a frame's line joins tensors. */
    public boolean joins(Frame frame) {
        return at(frame).filter(spot -> Saying.JOIN.isIn(spot.statement().text())).isPresent();
    }

    /** Whether that is done anywhere by calling something. */
    public boolean isOfItself() {
        return spots().anyMatch(this::isOfItselfByCall);
    }

    boolean isOfItselfByCall(Spot spot) {
        return spot.statement().text().contains("(") && isOfItself(spot);
    }

    /** Layers in a row do that too, and each holds its input anyhow. */
    private boolean isOfItself(Spot spot) {
        return spot.statement().isOfItself() && isOutside(spot, name -> name.equals("forward"));
    }

    private static boolean isOutside(Spot spot, Predicate<String> functions) {
        return spot.file().function(spot.statement()).map(Statement::functionName).filter(functions).isEmpty();
    }

    /** Whether one of some frames' lines stands in a loop, in no constructor. */
    public boolean isRepeated(List<Frame> frames) {
        return frames.stream().map(this::at).flatMap(Optional::stream)
                .anyMatch(spot -> spot.file().enclosing(spot.statement()).stream().takeWhile(head -> !head.isFunction())
                        .anyMatch(Statement::isLoop) && isOutside(spot, name -> name.startsWith("__")));
    }

    /** How a call stands to a backward pass. */
    public Turn turn(List<Frame> user, int entry) {
        return Turn.of(this, user, entry);
    }

    /** How all that look like calls of a model stand to a backward pass. */
    public List<Turn> turns() {
        return modelCalls().map(calls -> Turn.of(this, calls, 0)).distinct().toList();
    }

    /** All that look like calls of a model, each as a stack that it may be reached by. */
    Stream<List<Frame>> modelCalls() {
        return spots().filter(spot -> !spot.statement().isFunction() && callsModel(spot.statement())
                && isOutside(spot, name -> name.startsWith("__") || name.equals("forward")))
                .flatMap(spot -> callers(spot, DEPTH).stream().limit(MOST_CALLERS));
    }

    /** The statements that make a model, outside of models and of what they are part of. */
    Stream<Spot> modelsMade() {
        Set<String> classes = moduleClasses();
        return spots().filter(spot -> !spot.statement().targets().isEmpty() && !spot.statement().isLoop()
                && !spot.statement().text().contains(".parameters(")
                && (MODEL_CLASS.matcher(spot.statement().text()).find() || makesModule(spot.statement(), classes))
                && isOutside(spot, name -> name.startsWith("__") || name.equals("forward")));
    }

    /** The functions of the program's that a statement hands what it reads to, and that put it away. */
    Stream<Spot> keepersOf(Statement statement) {
        Set<String> names = calls(statement).filter(keepers::containsKey).collect(Collectors.toSet());
        return statement.isFunction()
                ? Stream.empty()
                : spots().filter(spot -> names.contains(spot.statement().functionName()));
    }

    /** The functions that a library calls with what a layer made, as the program registers them. */
    Stream<Spot> hooks() {
        Set<String> names = spots().flatMap(spot -> HOOKED.matcher(spot.statement().text()).results())
                .map(hooked -> hooked.group(1)).collect(Collectors.toSet());
        return spots().filter(spot -> names.contains(spot.statement().functionName()));
    }

    /** A statement as {@code file:line} without folders. */
    String place(Spot spot) {
        return place(spot, spot.statement().first());
    }

    /** The line of a statement that says something; its first where that is said by several together. */
    String place(Spot spot, Saying saying) {
        int line = spot.statement().first();
        for (int each = line; each <= spot.statement().last(); each++) {
            if (saying.isIn(spot.file().line(each))) {
                return place(spot, each);
            }
        }
        return place(spot, line);
    }

    /** The line of a statement that has its largest whole number; its first where it stands in one line or has none. */
    String placeOfLargest(Spot spot) {
        int line = spot.statement().first();
        long largest = -1;
        for (int each = line; each <= spot.statement().last(); each++) {
            long here = SizedAt.largest(spot.file().line(each));
            line = here > largest ? each : line;
            largest = Math.max(largest, here);
        }
        return place(spot, spot.statement().isLoop() ? spot.statement().first() : line);
    }

    private String place(Spot spot, int line) {
        return last(nameOf(spot.file())) + ":" + line;
    }

    /** Where a frame stands. */
    Optional<Spot> at(Frame frame) {
        PythonFile file = files.get(frame.file());
        return file == null
                ? Optional.empty()
                : file.at(frame.line()).map(statement -> new Spot(file, statement));
    }

    /** All statements of all files. */
    Stream<Spot> spots() {
        return files.values().stream()
                .flatMap(file -> file.statements().stream().map(statement -> new Spot(file, statement)));
    }

    /** Whether a statement runs a backward pass, itself or in a function of the program's that it calls. */
    boolean runsBackward(Statement statement) {
        return runsBackward(statement, "");
    }

    /** The same, but for one function. */
    boolean runsBackward(Statement statement, String but) {
        return !statement.isFunction()
                && (isBackward(statement) || !backwardCalls(statement, but).isEmpty());
    }

    /** Whether a statement runs one itself. */
    static boolean isBackward(Statement statement) {
        return BACKWARD.matcher(statement.text()).find();
    }

    /** Whether a statement calls what looks like a model: by its name, or because a module was made under that name. */
    boolean callsModel(Statement statement) {
        return MODEL.matcher(statement.text()).find() || calls(statement).anyMatch(modules::contains);
    }

    /** Whether a statement hands what it reads to a function of the program's that adds it to something that outlives it. */
    boolean keeps(Statement statement) {
        return !statement.isFunction() && calls(statement).anyMatch(keepers::containsKey);
    }

    /** Whether it does, and the graph is cut off there. */
    boolean keepsCut(Statement statement) {
        List<Boolean> cuts = calls(statement).map(keepers::get).filter(Objects::nonNull).toList();
        return !cuts.isEmpty() && !cuts.contains(false);
    }

    /** Names that modules are given. */
    private Set<String> findModules() {
        Set<String> classes = moduleClasses();
        return spots().map(Spot::statement).filter(each -> makesModule(each, classes))
                .flatMap(each -> each.targets().stream()).map(name -> name.substring(name.indexOf('.') + 1))
                .collect(Collectors.toSet());
    }

    private Set<String> moduleClasses() {
        return spots().map(spot -> MODULE_CLASS.matcher(spot.statement().text())).filter(Matcher::matches)
                .map(head -> head.group(1)).collect(Collectors.toSet());
    }

    private static boolean makesModule(Statement statement, Set<String> classes) {
        return MODULE_MADE.matcher(statement.text()).find() || calls(statement).anyMatch(classes::contains);
    }

    /** The functions through which it does, but for one; none where it does itself. */
    List<Spot> functionsWithBackward(Statement statement, String but) {
        Set<String> names = backwardCalls(statement, but);
        return spots().filter(spot -> names.contains(spot.statement().functionName())).toList();
    }

    private Set<String> backwardCalls(Statement statement, String but) {
        return calls(statement).filter(name -> !name.equals(but) && backward.contains(name))
                .collect(Collectors.toSet());
    }

    private static Stream<String> calls(Statement statement) {
        return CALL.matcher(statement.text()).results().map((MatchResult call) -> call.group(1));
    }

    /** Whether a statement runs where no gradient is recorded. */
    boolean isWithoutGradient(Spot spot) {
        return never || !generates && GENERATES.matcher(spot.statement().text()).find() || isAfterNever(spot)
                || spot.file().enclosing(spot.statement()).stream()
                        .anyMatch(head -> head.text().startsWith("with ") && NO_GRADIENT.matcher(head.text()).find()
                                || head.isFunction() && spot.file().decorators(head).stream()
                                        .anyMatch(each -> NO_GRADIENT.matcher(each.text()).find()));
    }

    /** Whether its function switches gradients off before, and not on again. */
    private static boolean isAfterNever(Spot spot) {
        return spot.file().function(spot.statement()).map(spot.file()::within).orElse(List.of()).stream()
                .filter(each -> each.index() < spot.statement().index() && each.text().contains("set_grad_enabled("))
                .reduce((before, last) -> last).filter(last -> NEVER.matcher(last.text()).matches()).isPresent();
    }

    /** A stack that a statement may be reached by. */
    List<Frame> caller(Spot spot) {
        return callers(spot, DEPTH).getFirst();
    }

    /** All of them, as far as it is looked. */
    List<List<Frame>> callers(Spot spot) {
        return callers(spot, DEPTH);
    }

    /** The stacks that a statement may be reached by: itself, and of each function all calls outside of it. */
    private List<List<Frame>> callers(Spot spot, int depth) {
        Optional<Statement> function = spot.file().function(spot.statement());
        Frame own = new Frame(nameOf(spot.file()), spot.statement().first(),
                function.map(Statement::functionName).orElse(MODULE));
        List<Spot> calls = depth == 1 || function.isEmpty()
                ? List.of()
                : spots().filter(each -> !each.statement().isFunction()
                        && calls(each.statement()).anyMatch(function.get().functionName()::equals)
                        && each.file().function(each.statement()).filter(function.get()::equals).isEmpty())
                        .limit(MOST_CALLERS).toList();
        if (calls.isEmpty()) {
            return List.of(List.of(own));
        }
        return calls.stream().flatMap(call -> callers(call, depth - 1).stream().limit(MOST_CALLERS))
                .map(outer -> Stream.concat(Stream.of(own), outer.stream()).toList()).toList();
    }

    private String nameOf(PythonFile file) {
        return files.entrySet().stream().filter(each -> each.getValue() == file).map(Map.Entry::getKey).findFirst()
                .orElse("");
    }

    /** Functions by whose call a backward pass runs, found until there are no more. */
    private void findBackward() {
        Map<String, List<Statement>> bodies = new HashMap<>();
        spots().filter(spot -> spot.statement().isFunction()).forEach(spot -> bodies.put(
                spot.statement().functionName(),
                spot.file().within(spot.statement()).stream().skip(1).toList()));
        bodies.keySet().removeIf(name -> name.equals("forward") || name.startsWith("__"));
        int before = -1;
        while (before < backward.size()) {
            before = backward.size();
            bodies.forEach((name, body) -> {
                if (body.stream().anyMatch(this::runsBackward)) {
                    backward.add(name);
                }
            });
        }
    }

    /** A statement in its file. */
    record Spot(PythonFile file, Statement statement) {
    }
}
