package io.vramlab.kernel.internal.magic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.spi.option.Words;
import io.vramlab.kernel.spi.text.HostileNames;
import io.vramlab.kernel.spi.text.Visible;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A name in the line of a magic. */
class QuotedWordTest {

    private static final List<String> NAMES = HostileNames.some(3_000);

    @Test
    void aQuotedWordIsOneWordOfOneMagicOrIsRefused() {
        int quoted = 0;
        for (String name : NAMES) {
            if (!Visible.line(name).equals(name)) {
                assertThrows(IllegalArgumentException.class, () -> Words.quoted(name));
                continue;
            }
            quoted++;
            List<CellPart> parts = new CellScanner("%what_if " + Words.quoted(name) + " --limit 5", n -> true,
                    each -> null).scan();
            assertEquals(1, parts.size(), name);
            CellPart.Use use = (CellPart.Use) parts.getFirst();
            assertEquals("what_if", use.name());
            assertEquals(List.of(name, "--limit", "5"), Words.of(use.arguments()));
        }
        assertTrue(quoted > NAMES.size() / 4, quoted + " of " + NAMES.size());
    }
}
