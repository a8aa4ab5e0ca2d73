package io.vramlab.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PendingTest {

    @Test
    void kernelsAreNamedOnceOldestFirst() {
        Pending pending = new Pending();
        pending.launched("gather");
        pending.launched("contiguous_ADD");
        pending.launched("contiguous_ADD");

        assertEquals(" It is one of: gather, contiguous_ADD.", pending.text());
    }

    @Test
    void aGoodWaitForgetsThem() {
        Pending pending = new Pending();
        pending.launched("gather");
        pending.done();

        assertEquals("", pending.text());
    }

    @Test
    void onlyTheLastSixtyFourAreKept() {
        Pending pending = new Pending();
        for (int i = 0; i < 100; i++) {
            pending.launched("k" + i);
        }

        assertFalse(pending.text().contains("k35,"));
        assertTrue(pending.text().startsWith(" It is one of: k36, k37,"));
        assertTrue(pending.text().endsWith("k99."));
    }
}
