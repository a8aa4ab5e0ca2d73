package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.tensor.Lifetimes;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A {@link WovenCase} that also looks whether something was closed that can still be reached. */
abstract class CheckedWovenCase extends WovenCase {

    CheckedWovenCase(String given) {
        super(given);
    }

    @BeforeEach
    void check() {
        Lifetimes.check(true);
    }

    @AfterEach
    void noMoreChecks() {
        List<String> reachable = Lifetimes.reachableThoughClosed();
        Lifetimes.check(false);
        assertEquals(List.of(), reachable);
    }

    @Override
    void marks(String declarations, String statements, long... expected) throws Exception {
        super.marks(declarations, statements, expected);
        assertEquals(List.of(), Lifetimes.reachableThoughClosed());
    }
}
