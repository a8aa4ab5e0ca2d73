package io.vramlab.magics.view;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.spi.text.HostileNames;
import io.vramlab.magics.text.CallSiteText;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageTest {

    private static final long BASE = 0x7f00_0000_0000L;
    private static final long MIB = 1L << 20;

    private static TraceEntry entry(TraceAction action, long address, long size, int site) {
        return new TraceEntry(action, address, size, 0, 0, "", site);
    }

    @Test
    void aBlockLastsFromItsAllocationToItsFree() {
        Blocks blocks = Blocks.of(List.of(entry(TraceAction.SEGMENT_ALLOC, BASE, 2 * MIB, 0),
                entry(TraceAction.ALLOC, BASE, MIB, 0), entry(TraceAction.ALLOC, BASE + MIB, 512, 0),
                entry(TraceAction.FREE_REQUESTED, BASE, MIB, 0), entry(TraceAction.FREE_COMPLETED, BASE, MIB, 0)),
                List.of(), address -> null);
        assertEquals(2, blocks.count);
        assertArrayEquals(new int[]{1, 2}, Arrays.copyOf(blocks.from, 2));
        // freed at event 3; the other lives to the end, 5
        assertArrayEquals(new int[]{3, 5}, Arrays.copyOf(blocks.to, 2));
    }

    @Test
    void whatWasThereBeforeIsThereFromTheStart() {
        SegmentInfo segment = new SegmentInfo(0, BASE, 2 * MIB, 512, 512, 512, 0, true, 0, false, 0,
                List.of(new BlockInfo(BASE + MIB, 512, 500, BlockState.ACTIVE_ALLOCATED, 0)));
        Blocks blocks = Blocks.of(List.of(entry(TraceAction.FREE_REQUESTED, BASE, MIB, 0)), List.of(segment),
                address -> address == BASE + MIB ? "weights" : null);
        assertEquals(2, blocks.count);
        assertArrayEquals(new int[]{0, 0}, Arrays.copyOf(blocks.from, 2));
        assertEquals(2 * MIB, blocks.reservedBefore);
        assertEquals(Map.of(1, "weights"), blocks.holders);
    }

    @Test
    void segmentsLieOneBehindAnotherWithoutTheGapsBetweenThem() {
        Blocks blocks = Blocks.of(List.of(entry(TraceAction.SEGMENT_ALLOC, BASE + 1000 * MIB, 2 * MIB, 0),
                entry(TraceAction.SEGMENT_ALLOC, BASE, 2 * MIB, 0), entry(TraceAction.ALLOC, BASE + 1000 * MIB, MIB, 0),
                entry(TraceAction.ALLOC, BASE + MIB, MIB, 0)), List.of(), address -> null);
        // in units of 512 bytes: the later segment begins behind the 2 MiB of the first, 4,096; the other block at 1 MiB, 2,048
        assertArrayEquals(new long[]{4096, 2048, 8192}, blocks.places());
    }

    @Test
    void withoutStacksBlocksAreToldApartBySize() {
        Blocks blocks = Blocks.of(List.of(entry(TraceAction.SEGMENT_ALLOC, BASE, 8 * MIB, 0),
                entry(TraceAction.ALLOC, BASE, MIB, 0), entry(TraceAction.ALLOC, BASE + MIB, 3 * MIB, 0)), List.of(),
                address -> null);
        assertEquals(List.of("blocks of 3.00 MiB"), SizeLabels.of(blocks).of(3 * MIB));
        List<TraceEntry> many = new ArrayList<>(List.of(entry(TraceAction.SEGMENT_ALLOC, BASE, 800 * MIB, 0)));
        for (int i = 1; i <= 41; i++) {
            many.add(entry(TraceAction.ALLOC, BASE + 100L * i * MIB, 4 * MIB + 512 * i, 0));
        }
        assertEquals(List.of("blocks of 4.00 MiB to 8.00 MiB"),
                SizeLabels.of(Blocks.of(many, List.of(), address -> null)).of(4 * MIB + 512));
    }

    @Test
    void whereOneBlockHasAStackLinesAreTold() {
        int site = CallSites.intern(List.of(new Frame("train.py", 12, "step")));
        assertNull(SizeLabels.of(Blocks.of(List.of(entry(TraceAction.ALLOC, BASE, MIB, 0),
                entry(TraceAction.ALLOC, BASE + MIB, MIB, site)), List.of(), address -> null)));
    }

    @Test
    void theUsersLineComesFirst() {
        int site = CallSites
                .intern(List.of(new Frame("/usr/lib/python3.12/site-packages/torch/nn/modules/linear.py", 134,
                        "forward"), new Frame("train.py", 12, "step")));
        assertEquals("train.py:12 step", CallSiteText.stack(site).getFirst());
    }

    @Test
    void nothingIsFetched() {
        Page page = new Page("plain");
        page.add("plain", Snapshots.of(List.of(entry(TraceAction.ALLOC, BASE, 512,
                CallSites.intern(List.of(new Frame("train.py", 3, "step")))))), address -> null);
        assertFalse(page.html().matches("(?s).*(https?:|src=|href=|import\\(|fetch\\(|XMLHttpRequest).*"), page.html());
    }

    @Test
    void noNameCanEndTheScript() {
        List<TraceEntry> trace = new ArrayList<>();
        List<String> names = new ArrayList<>(HostileNames.some(300));
        names.add("</script><script>alert(1)</script>");
        for (String name : names) {
            trace.add(entry(TraceAction.ALLOC, BASE + trace.size() * 512L, 512,
                    CallSites.intern(List.of(new Frame(name, 1, name)))));
        }
        Page page = new Page("</title><script>alert(1)</script>");
        page.add("</script>", Snapshots.of(trace), address -> null);
        String html = page.html();
        assertEquals(1, html.split("<script", -1).length - 1);
        assertEquals(1, html.split("</script", -1).length - 1);
        assertFalse(html.contains("<img") || html.contains("src=\""), "markup of a name");
        assertTrue(html.chars().noneMatch(c -> c < 0x20 && c != '\n'));
    }

    /** A snapshot that has a history and nothing else. */
    private static final class Snapshots {

        static MemorySnapshot of(List<TraceEntry> trace) {
            List<Object> entries = new ArrayList<>();
            for (TraceEntry entry : trace) {
                Frame frame = CallSites.frames(entry.site()).getFirst();
                entries.add(Map.of("action", "alloc", "addr", entry.address(), "size", entry.size(), "stream", 0L,
                        "time_us", 0L,
                        "frames", List.of(Map.of("filename", frame.file(), "line", 1L, "name", frame.method()))));
            }
            return MemorySnapshot.ofData(Map.of("segments", List.of(), "device_traces", List.of(entries)));
        }
    }
}
