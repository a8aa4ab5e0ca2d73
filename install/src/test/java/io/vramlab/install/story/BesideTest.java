package io.vramlab.install.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;

class BesideTest {

    private static Story story(int events) {
        TraceEntry event = new TraceEntry(TraceAction.SNAPSHOT, 0, 0, 0, 0, "", 0);
        return Story.of(MemorySnapshot.ofData(Map.of("segments", List.of(), "device_traces",
                List.of(Collections.nCopies(events, event)))), 0);
    }

    @Test
    void ofAShortHistoryAnotherThreadWorks() {
        Supplier<Thread> worker = Beside.work(story(1), Thread::currentThread);
        assertNotSame(Thread.currentThread(), worker.get());
        assertSame(worker.get(), worker.get(), "once is enough");
    }

    @Test
    void aLongHistoryIsWorkedOnAtOnceByWhoAsks() {
        assertSame(Thread.currentThread(), Beside.work(story(500_001), Thread::currentThread).get());
    }

    @Test
    void whatFailsFailsForWhoAsksAsItDid() {
        IllegalArgumentException refused = new IllegalArgumentException("no history");
        Supplier<Object> failing = Beside.work(story(1), () -> {
            throw refused;
        });
        assertSame(refused, assertThrows(IllegalArgumentException.class, failing::get));
        Supplier<Object> broken = Beside.work(story(1), () -> {
            throw new StackOverflowError("deep");
        });
        assertEquals("deep", assertThrows(StackOverflowError.class, broken::get).getMessage());
    }
}
