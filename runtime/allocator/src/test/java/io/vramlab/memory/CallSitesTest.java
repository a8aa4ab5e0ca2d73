package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import example.UserCode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallSitesTest {

    private final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(1L << 30),
            StreamEvents.IMMEDIATE);

    @Test
    void theHistoryTellsTheUsersLineAndTheLiveBlockKeepsIt() {
        allocator.recordHistory(HistoryOptions.all());
        UserCode.makeBuffer(allocator);

        final TraceEntry entry = allocator.history().getLast();
        final Frame innermost = CallSites.frames(entry.site()).getFirst();

        assertEquals(new Frame("UserCode.java", UserCode.LINE, "makeBuffer"), innermost);
        assertEquals(entry.site(), allocator.segments().get(0).blocks().get(0).site());
        assertEquals(entry.site(), allocator.segments().get(0).site());
    }

    @Test
    void equalStacksShareOneId() {
        allocator.recordHistory(HistoryOptions.all());
        for (int i = 0; i < 2; i++) {
            UserCode.makeBuffer(allocator);
        }
        final List<Integer> sites = allocator.history().stream().filter(e -> e.action() == TraceAction.ALLOC)
                .map(TraceEntry::site).toList();

        assertEquals(2, sites.size());
        assertEquals(sites.get(0), sites.get(1));
        assertNotEquals(0, sites.get(0));
    }

    @Test
    void withoutContextNothingIsKept() {
        allocator.recordHistory(HistoryOptions.withoutStacks());
        UserCode.makeBuffer(allocator);

        assertEquals(0, allocator.history().getLast().site());
        assertEquals(List.of(), CallSites.frames(0));
    }

    @Test
    void withContextStateOnlyLiveBlocksKeepTheirSite() {
        allocator.recordHistory(new HistoryOptions("all", "state", "all", 100, false, Set.of()));
        final long address = UserCode.makeBuffer(allocator);

        assertEquals(0, allocator.history().getLast().site());
        assertNotEquals(0, allocator.segments().get(0).blocks().get(0).site());
        allocator.free(address);
        assertEquals(0, allocator.segments().get(0).blocks().get(0).site());
    }
}
