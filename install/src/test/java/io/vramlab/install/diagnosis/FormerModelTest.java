package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;

import org.junit.jupiter.api.Test;

import io.vramlab.install.story.History;

/** A model of 24 MiB that has worked, and what finds no room beside it. */
class FormerModelTest {

    private static final long MIB = 1L << 20;
    private static final String[] PLACED = {"/x/site-packages/torch/nn/modules/module.py:1097:_apply",
            "serve.py:5:main"};
    private static final String[] LOADED = {"/x/site-packages/torch/serialization.py:668:_deserialize",
            "serve.py:9:reload"};
    private static final String[] CALLED = {"/x/site-packages/torch/nn/modules/module.py:1790:_call_impl",
            "serve.py:7:main"};

    private static History model() {
        History history = new History().event("segment_alloc", 0, 64 * MIB).by(PLACED);
        for (int i = 0; i < 3; i++) {
            history.alloc(8 * i * MIB, 8 * MIB);
        }
        return history.by(CALLED).alloc(32 * MIB, MIB).free(32 * MIB, MIB);
    }

    private static Map<String, Double> traits(History history) {
        return Traits.of(Evidence.of(history.story()));
    }

    @Test
    void aFilesTensorOfAWeightsSizeIsLoadedBesideTheModel() {
        History history = model().by(LOADED).event("oom", 0, 8 * MIB);
        assertEquals(1.0, traits(history).get("loaded-again"));
        assertEquals(CauseKind.CHECKPOINT, new TwoSets().look(Evidence.of(history.story())).orElseThrow().kind());
    }

    @Test
    void aFilesTensorOfAnotherSizeMayBeAnything() {
        assertEquals(0.0, traits(model().by(LOADED).event("oom", 0, 12 * MIB)).get("loaded-again"));
    }

    @Test
    void aModelThatIsMadeAfterAnotherHasWorkedStandsBesideIt() {
        // 24 MiB of the first model, of 24 + 16 + 16 that are there or asked for
        assertEquals(24.0 / 56,
                traits(model().by(PLACED).alloc(40 * MIB, 16 * MIB).event("oom", 0, 16 * MIB))
                        .get("placed-before-work"));
    }

    @Test
    void theLayersOfOneModelAreMadeBeforeItWorks() {
        assertEquals(0.0, traits(model().event("oom", 0, 8 * MIB)).get("placed-before-work"));
    }
}
