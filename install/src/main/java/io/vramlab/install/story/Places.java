package io.vramlab.install.story;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.memory.TraceAction;

/**
 * The places of a history's call sites.
 *
 * <p>
 * PyTorch runs the backward pass in threads of its own, whose stacks hold no line of Python. So in a history that has stacks an
 * allocation without one is the backward pass's.
 */
public final class Places {

    /** Files that are not the user's: installed packages, Python itself, what is compiled or generated. */
    private static final Pattern LIBRARY = Pattern
            .compile(
                    "(^|[/\\\\])(site-packages|dist-packages)[/\\\\]|[/\\\\]lib[/\\\\]python3[^/\\\\]*[/\\\\]|[/\\\\]torchinductor_|^<(?!cell|stdin|ipython)"
                            + "|\\.(cpp|cc|c|cu|cuh|h|hpp)$|\\.so(\\.\\d+)*$|^\\?*$");
    /** Folders that hold copies of others' packages, as {@code pip install --target vendor} and submodules leave them. */
    private static final Pattern VENDORED = Pattern
            .compile("(^|[/\\\\])(_?vendor|vendored|third_?party)[/\\\\]");
    private static final Pattern LAUNCHER = Pattern.compile("runpy>?(\\.py)?$|[/\\\\]pdb\\.py$"
            + "|[/\\\\](ipykernel|IPython)[/\\\\]|torch[/\\\\]distributed[/\\\\](run|launcher)");
    private static final Pattern LOSS = Pattern.compile(".*(cross_entropy|nll_loss|_loss|log_softmax).*",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern MADE = Pattern.compile("__init__|from_pretrained|set_module_tensor_to_device");
    /** What is made there holds data and no weights. */
    private static final Pattern HOLDER = Pattern.compile("cache|data|output|token", Pattern.CASE_INSENSITIVE);
    private static final Pattern LAYER = Pattern.compile("torch[/\\\\]nn[/\\\\]modules[/\\\\]");
    private static final Pattern NATIVE = Pattern.compile("\\.(cpp|cc|c|cu|cuh|h|hpp)$|\\.so(\\.\\d+)*$|^[?:0]*$");
    private static final Pattern WRAPPER = Pattern
            .compile("decorate_context|wrapper|wrapped|inner|_wrap.*|decorated?|__call__");
    /** What an optimizer's closure calls. */
    private static final Set<StoryPhase> CALLED = Set.of(StoryPhase.FORWARD, StoryPhase.LOSS, StoryPhase.BACKWARD);

    /** Lines of the user's constructors from which layers were made: what else these make are weights too. */
    private final Set<String> constructors = new HashSet<>();
    /** By call site, which are numbered from 1 on; each is asked for as often as it has blocks, by several at once. */
    private volatile Place[] known = new Place[64];
    private final boolean stacks;

    /**
     * For one history.
     *
     * @param stacks whether it has any
     */
    public Places(boolean stacks) {
        this.stacks = stacks;
    }

    /**
     * For one history, whose constructors of modules are looked for first: a parameter that a module of the user's makes itself is a
     * weight, as those of its layers are.
     */
    public static Places of(Story story) {
        Places places = new Places(story.hasStacks());
        Set<Integer> sites = new HashSet<>();
        story.events().stream().filter(event -> event.action() == TraceAction.ALLOC && sites.add(event.site()))
                .forEach(event -> places.look(CallSites.frames(event.site())));
        return places;
    }

    /** The user's frames of all call sites at which something was asked for, each once. */
    public static Set<Frame> userFrames(Story story) {
        Places places = new Places(story.hasStacks());
        Set<Integer> sites = new HashSet<>();
        Set<Frame> frames = new LinkedHashSet<>();
        story.events().stream()
                .filter(event -> (event.action() == TraceAction.ALLOC || event.action() == TraceAction.OOM)
                        && sites.add(event.site()))
                .forEach(event -> frames.addAll(places.of(event.site()).user()));
        return frames;
    }

    private void look(List<Frame> frames) {
        for (int i = 1; i < frames.size(); i++) {
            if (isConstructor(frames.get(i)) && LAYER.matcher(frames.get(i - 1).file()).find()
                    && phase(frames.get(i - 1)) == StoryPhase.PLACING) {
                constructors.add(frames.get(i).file());
            }
        }
    }

    private static boolean isConstructor(Frame frame) {
        return frame.method().equals("__init__") && !isLibrary(frame);
    }

    /** Whether the innermost of the user's frames is a module's constructor. */
    private boolean isWeight(Place place) {
        return place.phase() == StoryPhase.OTHER && place.isKnown() && isConstructor(place.user().getFirst())
                && constructors.contains(place.user().getFirst().file());
    }

    /** Whether the history has stacks. */
    public boolean hasStacks() {
        return stacks;
    }

    /** The place of a call site at which a block was asked for within the history. */
    public Place of(int site) {
        Place[] now = known;
        Place place = site >= 0 && site < now.length ? now[site] : null;
        return place == null ? find(site) : place;
    }

    /** Several may find the same place at once; what each of them finds is equal. */
    private Place find(int site) {
        Place place = read(CallSites.frames(site));
        synchronized (this) {
            if (site >= 0) {
                known = site < known.length ? known : Arrays.copyOf(known, Math.max(site + 1, 2 * known.length));
                known[site] = place;
            }
        }
        return place;
    }

    private Place read(List<Frame> all) {
        // stacks="all" tells of C++ and of the interpreter too, between Python's frames; the engine's threads have nothing else
        List<Frame> frames = all.stream().filter(frame -> !isNative(frame)).toList();
        boolean engine = all.isEmpty()
                || all.stream().anyMatch(frame -> frame.method().contains("autograd::Engine"));
        if (frames.isEmpty()) {
            return stacks && engine ? new Place(List.of(), 0, StoryPhase.BACKWARD, "", 1) : Place.NOWHERE;
        }
        Place place = ofPython(frames);
        return isWeight(place)
                ? new Place(place.user(), outermost(place), StoryPhase.PLACING, place.library(), place.caller())
                : place;
    }

    /** The place of a block. */
    public Place of(Lives lives, int block) {
        int site = lives.site(block);
        return lives.born(block) < 0 && site == 0 ? Place.NOWHERE : of(site);
    }

    /** The line that made the whole model: the first outside of constructors. */
    private static int outermost(Place place) {
        int at = 0;
        while (at + 1 < place.user().size() && !isMaker(place.user().get(at))) {
            at++;
        }
        return at;
    }

    private static boolean isMaker(Frame frame) {
        return !frame.method().equals("__init__") && !frame.method().startsWith("<listcomp>")
                && !frame.method().startsWith("<genexpr>");
    }

    /** Whether a frame is compiled code's, which {@code stacks="all"} tells of between Python's. */
    public static boolean isNative(Frame frame) {
        return NATIVE.matcher(frame.file()).find();
    }

    /** Whether a frame is not the user's: an installed package's, Python's own, or compiled. */
    public static boolean isLibrary(Frame frame) {
        return isLibrary(frame.file());
    }

    private static boolean isLibrary(String file) {
        return LIBRARY.matcher(file).find() || VENDORED.matcher(file).find();
    }

    private static Place ofPython(List<Frame> frames) {
        int outermost = frames.size() - 1;
        for (int i = outermost; i >= 0; i--) {
            if (LAUNCHER.matcher(frames.get(i).file()).find()) {
                outermost = i - 1;
            }
        }
        int decisive = decisive(frames, outermost);
        // who starts a program within such a folder works on what is there
        boolean own = outermost >= 0 && VENDORED.matcher(frames.get(outermost).file()).find();
        List<Frame> user = new ArrayList<>();
        int inside = 0;
        boolean left = false;
        for (int i = outermost; i >= 0; i--) {
            String file = frames.get(i).file();
            if (own ? !LIBRARY.matcher(file).find() : !isLibrary(file)) {
                user.addFirst(frames.get(i));
                inside += decisive >= 0 ? i < decisive ? 1 : 0 : left ? 1 : 0;
            } else if (!isWrapper(frames.get(i))) {
                left |= !user.isEmpty();
            }
        }
        // all of the user's lines may be within what decides: a hook, a closure
        int entry = user.isEmpty() ? 0 : Math.min(inside, user.size() - 1);
        Frame innermost = frames.getFirst();
        Frame caller = frames.get(decisive < 0
                ? innermostOutsideOfTorch(frames, outermost)
                : Math.min(decisive + 1, outermost));
        // an engine's thread begins in the backward of a function in Python, a compiled model's for one
        boolean engine = frames.getLast().file().replace('\\', '/').endsWith("/torch/autograd/function.py");
        return new Place(List.copyOf(user), entry, engine ? StoryPhase.BACKWARD : phase(frames, decisive),
                isLibrary(innermost) ? innermost.method() : "",
                Objects.hash(user.isEmpty() ? null : user.get(entry), caller));
    }

    /** Of PyTorch itself, not of whatever is installed below a folder of that name. */
    private static boolean isOfTorch(String file) {
        int packages = file.lastIndexOf("-packages/");
        return packages < 0 ? file.contains("/torch/") : file.startsWith("torch/", packages + "-packages/".length());
    }

    private static int innermostOutsideOfTorch(List<Frame> frames, int outermost) {
        for (int i = 0; i <= outermost; i++) {
            if (!isOfTorch(frames.get(i).file().replace('\\', '/')) && !frames.get(i).file().startsWith("<")) {
                return i;
            }
        }
        return Math.max(0, outermost);
    }

    /** Decorators, as of torch.no_grad, stand between a user's function and who calls it. */
    private static boolean isWrapper(Frame frame) {
        return WRAPPER.matcher(frame.method()).matches();
    }

    /**
     * The place of the library's frame that tells what the program was at: the outermost, since a model that is called within a
     * step is the step's; but what an optimizer calls, as a closure does, is not the optimizer's. -1 without one.
     */
    private static int decisive(List<Frame> frames, int outermost) {
        int decisive = -1;
        for (int i = outermost; i >= 0; i--) {
            StoryPhase phase = phase(frames.get(i));
            boolean within = decisive >= 0 && phase(frames.get(decisive)) == StoryPhase.OPTIMIZER
                    && CALLED.contains(phase);
            if (phase != StoryPhase.OTHER && (decisive < 0 || within)) {
                decisive = i;
            }
        }
        return decisive;
    }

    private static StoryPhase phase(List<Frame> frames, int decisive) {
        StoryPhase found = decisive < 0 ? StoryPhase.OTHER : phase(frames.get(decisive));
        // a model that computes its loss itself
        for (int i = decisive - 1; i >= 0 && found == StoryPhase.FORWARD; i--) {
            found = phase(frames.get(i)) == StoryPhase.LOSS ? StoryPhase.LOSS : found;
        }
        return found;
    }

    private static StoryPhase phase(Frame frame) {
        String file = frame.file().replace('\\', '/');
        String name = frame.method();
        // an average of weights is made there too, by copying them
        if (file.contains("/torch/optim/") && !name.equals("__init__")) {
            return StoryPhase.OPTIMIZER;
        }
        if (file.endsWith("/torch/serialization.py") || file.contains("/safetensors/")) {
            return StoryPhase.LOADING;
        }
        if (file.endsWith("/copy.py") && name.contains("deepcopy")) {
            return StoryPhase.COPYING;
        }
        if (file.endsWith("/torch/_tensor.py") && name.equals("backward")
                || file.contains("/torch/autograd/graph.py")) {
            return StoryPhase.BACKWARD;
        }
        if (file.contains("/torch/nn/") && LOSS.matcher(name).matches()
                || file.contains("/loss") && !isOfTorch(file) && isLibrary(file)) {
            return StoryPhase.LOSS;
        }
        // made on the device at once, as under torch.device("cuda")
        if (file.endsWith("/torch/nn/init.py")
                || file.contains("/torch/nn/modules/")
                        && (name.equals("__init__") || name.equals("reset_parameters"))) {
            return StoryPhase.PLACING;
        }
        // models of packages, which make their weights themselves
        if (MADE.matcher(name).matches() && !isOfTorch(file)
                && !HOLDER.matcher(file.substring(file.lastIndexOf('/') + 1)).find()
                && isLibrary(file)) {
            return StoryPhase.PLACING;
        }
        if (file.endsWith("/torch/nn/modules/module.py")) {
            return name.contains("_call_impl")
                    ? StoryPhase.FORWARD
                    : name.equals("_apply") || name.equals("to") ? StoryPhase.PLACING : StoryPhase.OTHER;
        }
        return StoryPhase.OTHER;
    }
}
