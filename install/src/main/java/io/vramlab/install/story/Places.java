package io.vramlab.install.story;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;

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
                    "(^|[/\\\\])(site-packages|dist-packages)[/\\\\]|[/\\\\]lib[/\\\\]python3[^/\\\\]*[/\\\\]|^<(?!cell|stdin|ipython)"
                            + "|\\.(cpp|cc|c|cu|cuh|h|hpp)$|\\.so(\\.\\d+)*$|^\\?*$");
    private static final Pattern LAUNCHER = Pattern.compile("runpy>?(\\.py)?$|[/\\\\]pdb\\.py$"
            + "|[/\\\\](ipykernel|IPython)[/\\\\]|torch[/\\\\]distributed[/\\\\](run|launcher)");
    private static final Pattern LOSS = Pattern.compile(".*(cross_entropy|nll_loss|_loss|log_softmax).*",
            Pattern.CASE_INSENSITIVE);

    private final Map<Integer, Place> known = new HashMap<>();
    private final boolean stacks;

    /**
     * For one history.
     *
     * @param stacks whether it has any
     */
    public Places(boolean stacks) {
        this.stacks = stacks;
    }

    /** Whether the history has stacks. */
    public boolean hasStacks() {
        return stacks;
    }

    /** The place of a call site at which a block was asked for within the history. */
    public Place of(int site) {
        return known.computeIfAbsent(site, id -> {
            List<Frame> frames = CallSites.frames(id);
            return frames.isEmpty()
                    ? stacks ? new Place(List.of(), 0, Phase.BACKWARD, "") : Place.NOWHERE
                    : read(frames);
        });
    }

    /** The place of a block. */
    public Place of(Lives lives, int block) {
        int site = lives.site(block);
        return lives.born(block) < 0 && site == 0 ? Place.NOWHERE : of(site);
    }

    private static boolean isLibrary(Frame frame) {
        return LIBRARY.matcher(frame.file()).find();
    }

    private static Place read(List<Frame> frames) {
        int outermost = frames.size() - 1;
        for (int i = outermost; i >= 0; i--) {
            if (LAUNCHER.matcher(frames.get(i).file()).find()) {
                outermost = i - 1;
            }
        }
        List<Frame> user = new ArrayList<>();
        int beforeLibrary = 0;
        boolean left = false;
        for (int i = outermost; i >= 0; i--) {
            if (!isLibrary(frames.get(i))) {
                user.addFirst(frames.get(i));
                beforeLibrary += left ? 1 : 0;
            } else {
                left |= !user.isEmpty();
            }
        }
        Frame innermost = frames.getFirst();
        return new Place(List.copyOf(user), user.isEmpty() ? 0 : beforeLibrary, phase(frames, outermost),
                isLibrary(innermost) ? innermost.method() : "");
    }

    /** The outermost of the library's frames that tell decides: a model that is called within a step is the step's. */
    private static Phase phase(List<Frame> frames, int outermost) {
        // stacks="all" shows the engine's thread
        Phase found = frames.stream().anyMatch(frame -> frame.method().contains("autograd::Engine"))
                ? Phase.BACKWARD
                : Phase.OTHER;
        for (int i = outermost; i >= 0; i--) {
            Phase phase = phase(frames.get(i));
            if (phase == Phase.LOSS || phase != Phase.OTHER && found == Phase.OTHER) {
                found = phase;
            }
        }
        return found;
    }

    private static Phase phase(Frame frame) {
        String file = frame.file().replace('\\', '/');
        String name = frame.method();
        // an average of weights is made there too, by copying them
        if (file.contains("/torch/optim/") && !name.equals("__init__")) {
            return Phase.OPTIMIZER;
        }
        if (file.endsWith("/torch/serialization.py") || file.contains("/safetensors/")) {
            return Phase.LOADING;
        }
        if (file.endsWith("/copy.py") && name.contains("deepcopy")) {
            return Phase.COPYING;
        }
        if (file.endsWith("/torch/_tensor.py") && name.equals("backward")
                || file.contains("/torch/autograd/graph.py")) {
            return Phase.BACKWARD;
        }
        if (file.contains("/torch/nn/") && LOSS.matcher(name).matches()) {
            return Phase.LOSS;
        }
        if (file.endsWith("/torch/nn/modules/module.py")) {
            return name.contains("_call_impl")
                    ? Phase.FORWARD
                    : name.equals("_apply") || name.equals("to") ? Phase.PLACING : Phase.OTHER;
        }
        return Phase.OTHER;
    }
}
