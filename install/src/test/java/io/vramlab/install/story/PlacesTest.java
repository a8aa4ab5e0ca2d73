package io.vramlab.install.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;

class PlacesTest {

    private static final String TORCH = "/opt/venv/lib/python3.12/site-packages/torch/";
    private static final Frame MODEL = new Frame(TORCH + "nn/modules/module.py", 1779, "_call_impl");
    private static final Frame USERS_MODEL = new Frame("/home/me/model.py", 20, "forward");
    private static final Frame LINEAR = new Frame(TORCH + "nn/modules/linear.py", 134, "forward");

    /** Frames from the innermost to the outermost. */
    private static Place place(Frame... frames) {
        return new Places(true).of(CallSites.intern(Arrays.asList(frames)));
    }

    private static Frame user(int line) {
        return new Frame("/home/me/train.py", line, "main");
    }

    @Test
    void theLineThatCalledTheModelIsTheOuterOne() {
        Place place = place(LINEAR, MODEL, USERS_MODEL, MODEL, user(7), user(90));
        assertEquals(List.of(StoryPhase.FORWARD, "train.py:7", "model.py:20", "forward"),
                List.of(place.phase(), place.outer(), place.inner(), place.library()));
    }

    @Test
    void whatLiesInAFolderOfOthersPackagesIsNotTheUsers() {
        Frame vit = new Frame("/home/me/vendor/timm/models/vision_transformer.py", 124, "forward");
        Frame made = new Frame("/home/me/third_party/timm/layers/mlp.py", 40, "__init__");
        assertEquals("train.py:7", place(LINEAR, MODEL, vit, MODEL, user(7)).inner());
        assertEquals(StoryPhase.PLACING, place(made, user(5)).phase());
    }

    @Test
    void whoStartsAProgramInSuchAFolderWorksThere() {
        Frame main = new Frame("/home/me/third_party/detector/train.py", 90, "<module>");
        Frame layer = new Frame("/home/me/third_party/detector/layers.py", 12, "forward");
        assertEquals(List.of("layers.py:12", "train.py:90"),
                place(LINEAR, MODEL, layer, MODEL, main).user().stream().map(Place::line).toList());
    }

    @Test
    void aDecoratorDoesNotHideTheLineThatCallsTheModel() {
        Frame noGrad = new Frame(TORCH + "utils/_contextlib.py", 124, "decorate_context");
        assertEquals("train.py:14", place(LINEAR, MODEL, user(14), noGrad, user(22)).outer());
    }

    @Test
    void aTrainerThatCallsTheUsersStepLeavesTheLineInTheStep() {
        Frame trainer = new Frame("/opt/venv/lib/python3.12/site-packages/pytorch_lightning/trainer.py", 300, "fit");
        Place place = place(LINEAR, MODEL, USERS_MODEL, MODEL, user(31), trainer, user(60));
        assertEquals(List.of(StoryPhase.FORWARD, "train.py:31", "model.py:20"),
                List.of(place.phase(), place.outer(), place.inner()));
    }

    @Test
    void whatAnOptimizersClosureCallsIsNotTheOptimizers() {
        Frame step = new Frame(TORCH + "optim/adam.py", 219, "step");
        Frame trainer = new Frame("/opt/venv/lib/python3.12/site-packages/pytorch_lightning/closure.py", 130,
                "closure");
        assertEquals(StoryPhase.FORWARD, place(LINEAR, MODEL, user(31), trainer, step, user(60)).phase());
        assertEquals(StoryPhase.OPTIMIZER,
                place(new Frame(TORCH + "optim/adam.py", 400, "_init_group"), step, user(60)).phase());
    }

    @Test
    void turnsOfATrainersLoopAreToldApartByItsOwnLines() {
        Frame fit = new Frame("/opt/venv/lib/python3.12/site-packages/transformers/trainer.py", 2240, "train");
        Frame model = new Frame("/opt/venv/lib/python3.12/site-packages/transformers/trainer.py", 3800, "compute_loss");
        Frame optimizer = new Frame("/opt/venv/lib/python3.12/site-packages/transformers/trainer.py", 2600, "_step");
        Frame step = new Frame(TORCH + "optim/adamw.py", 100, "step");
        Place forward = place(LINEAR, MODEL, model, fit, user(22));
        assertEquals("train.py:22", forward.outer());
        assertNotEquals(forward.caller(), place(step, optimizer, fit, user(22)).caller());
    }

    @Test
    void framesOfCppAndOfTheInterpreterAreNoPlaces() {
        Frame allocator = new Frame("/pytorch/c10/cuda/CUDACachingAllocator.cpp", 0, "malloc");
        Frame unknown = new Frame("??", 0, "_PyEval_EvalFrameDefault");
        Place place = place(allocator, unknown, LINEAR, unknown, MODEL, unknown, user(7), unknown);
        assertEquals(List.of(StoryPhase.FORWARD, "train.py:7", "forward"),
                List.of(place.phase(), place.outer(), place.library()));
        // the same with Python's frames alone
        assertEquals(place(LINEAR, MODEL, user(7)).caller(), place.caller());
    }

    @Test
    void aThreadOfTheEngineIsTheBackwardPass() {
        assertEquals(StoryPhase.BACKWARD, place(new Frame("??", 0, "torch::autograd::Engine::thread_main(...)"),
                new Frame("??", 0, "clone")).phase());
        assertEquals(StoryPhase.BACKWARD, new Places(true).of(0).phase());
        assertEquals(StoryPhase.UNKNOWN, place(new Frame("??", 0, "clone")).phase());
    }

    @Test
    void theBackwardOfAFunctionInPythonIsTheBackwardPass() {
        Frame apply = new Frame(TORCH + "autograd/function.py", 311, "apply");
        Frame users = new Frame("/home/me/softplus.py", 12, "backward");
        assertEquals(StoryPhase.BACKWARD, place(users, apply).phase());
        assertEquals(StoryPhase.FORWARD, place(users, apply, LINEAR, MODEL, user(7)).phase());
    }

    @Test
    void whatTheCompilerWroteIsNotTheUsers() {
        Frame compiled = new Frame("/tmp/torchinductor_me/ab/cabc.py", 77, "call");
        assertEquals("train.py:7", place(compiled, MODEL, user(7)).inner());
    }
}
