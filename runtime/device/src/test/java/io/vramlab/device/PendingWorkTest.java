package io.vramlab.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PendingWorkTest {

    private final PendingWork pending = new PendingWork();

    @AfterEach
    void nobodyKnowsLines() {
        PendingWork.lines(null);
    }

    private void launch(String line, Object operation, long stream) {
        PendingWork.lines(() -> line);
        pending.launched(operation, stream);
    }

    @Test
    void withoutLinesOperationsAreNamedOnceOldestFirst() {
        pending.launched("gather", 0);
        pending.launched(ElementOp.ADD, 0);
        pending.launched(ElementOp.ADD, 0);

        assertEquals("gather, add", pending.text());
    }

    @Test
    void eachLineIsToldWithItsOperations() {
        launch("In [7]:3", "gather", 0);
        launch("In [7]:3", ElementOp.ADD, 0);
        launch("In [7]:5", "matmul", 0);

        assertEquals("In [7]:3 (gather, add), In [7]:5 (matmul)", pending.text());
    }

    @Test
    void aGoodWaitForgetsWhatWasLaunchedBeforeIt() {
        pending.launched("gather", 0);
        int mark = pending.mark();
        pending.launched("softmax", 0);
        assertEquals(2, pending.size());
        pending.done(mark);

        assertEquals("softmax", pending.text());
        assertEquals(1, pending.size());
    }

    @Test
    void aGoodWaitForOneStreamLeavesTheOthers() {
        pending.launched("gather", 0);
        pending.launched("softmax", 3);
        pending.done(3, pending.mark());

        assertEquals("gather", pending.text());
    }

    @Test
    void onlyTheLastSixtyFourAreKept() {
        for (int i = 0; i < 100; i++) {
            pending.launched("k" + i, 0);
        }

        assertTrue(pending.text().startsWith("k36, k37,"), pending.text());
        assertTrue(pending.text().endsWith("k99"), pending.text());
    }

    @Test
    void aMessageNamesTwelveLines() {
        for (int i = 1; i <= 20; i++) {
            launch("In [1]:" + i, "gather", 0);
        }

        assertTrue(pending.text().endsWith("In [1]:12 (gather) and 8 more lines"), pending.text());
        assertFalse(pending.text().contains("In [1]:13"));
    }
}
