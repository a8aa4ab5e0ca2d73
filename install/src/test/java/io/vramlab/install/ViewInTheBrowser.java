package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import io.vramlab.device.Device;
import io.vramlab.install.browser.Browser;
import io.vramlab.magics.view.Page;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.OutOfMemoryException;

/**
 * The page of {@code vramlab view} in Chromium: a million events. Its name keeps it out of a build, as
 * {@link UntrustedNotebook}'s does; run it the same way. And a small one, wide and narrow. It prints frames per second while panning, and leaves screenshots in
 * {@code target/view}.
 */
class ViewInTheBrowser {

    private static final Path FOLDER = Path.of("target", "view").toAbsolutePath();
    private static final int BLOCKS = Integer.getInteger("vramlab.blocks", 350_000);

    /** A program whose use swells and sinks, and keeps a little more each time. */
    private static MemorySnapshot swelling() {
        CachingAllocator allocator = (CachingAllocator) Allocators.of(Device.simulated("80GiB"));
        allocator.recordHistory(new HistoryOptions("all", "alloc", "all", Integer.MAX_VALUE, false, Set.of()));
        Random random = new Random(1);
        ArrayDeque<Long> live = new ArrayDeque<>();
        int[] sites = new int[200];
        for (int i = 0; i < sites.length; i++) {
            sites[i] = CallSites.intern(List.of(new Frame("/opt/site-packages/torch/nn/functional.py", i, "f"),
                    new Frame("train.py", i / 4, "step")));
        }
        for (int i = 0; i < BLOCKS; i++) {
            live.addLast(allocator.allocate((512L << random.nextInt(14)) + random.nextInt(4096), 0,
                    sites[random.nextInt(sites.length)]));
            if (live.size() > 300 + 200 * Math.sin(i / 5000.0)) {
                allocator.free(live.pollFirst());
            }
            if (i % 2000 == 0) {
                allocator.allocate(3 << 20, 0, sites[7]);
            }
        }
        return MemorySnapshot.of(allocator);
    }

    @Test
    void aMillionEventsAreZoomedPannedAskedAndSearched() throws Exception {
        Files.createDirectories(FOLDER);
        Page page = new Page("a million events");
        long events = page.add("swelling", swelling(), address -> "holder");
        Path file = Files.writeString(FOLDER.resolve("million.html"), page.html());
        System.out.printf("%,d events, %,d bytes of page%n", events, Files.size(file));
        try (Browser browser = new Browser()) {
            browser.size(1500, 900);
            browser.open(file.toUri().toString());
            browser.await("document.body.dataset.ready === 'yes'");
            browser.screenshots("body", FOLDER, "whole");
            assertEquals(events, browser.run("return vramlab.state().events").getAsLong());
            pan(browser, "whole");
            browser.run("vramlab.zoom(0.02, 500, 300, true)");
            Thread.sleep(1000); // the new picture follows the stretched one
            pan(browser, "zoomed");
            browser.screenshots("body", FOLDER, "zoomed");
            assertEquals("3.00 MiB (3,145,728 bytes)", browser.run("const h = vramlab.history();"
                    + "const i = h.bytes.findIndex(b => b === 3145728);"
                    + "return vramlab.describe(h.at(h.from[i] + 1, h.place[i] + 5))").getAsString().lines().findFirst()
                    .orElseThrow());
            browser.run("document.querySelector('.line').click()");
            assertEquals(1, browser.run("return vramlab.state().lit.filter(x => x).length").getAsInt());
            browser.run("document.getElementById('all').click()");
            browser.screenshots("body", FOLDER, "lit");
            browser.run("const s = document.getElementById('search'); s.value = 'train.py:12'; s.oninput()");
            assertEquals("train.py:12 step",
                    browser.run("return document.querySelector('.line span').textContent").getAsString());
            assertEquals(1, browser.run("return document.querySelectorAll('.line').length").getAsInt());
        }
    }

    /** Most snapshots are dumped where memory ran out: that is their last event, at the very edge. */
    @Test
    void theLastEventsFailureIsSeenAndANarrowWindowHasTheListBelow() throws Exception {
        Files.createDirectories(FOLDER);
        CachingAllocator allocator = (CachingAllocator) Allocators.of(Device.simulated("100MiB"));
        allocator.recordHistory(new HistoryOptions("all", "alloc", "all", Integer.MAX_VALUE, false, Set.of()));
        int site = CallSites.intern(List.of(new Frame("a_program_with_a_long_name.py", 12, "training_step")));
        for (int i = 0; i < 2000; i++) {
            allocator.free(allocator.allocate(3 << 20, 0, site));
        }
        allocator.allocate(20 << 20, 0, site);
        assertThrows(OutOfMemoryException.class, () -> allocator.allocate(200 << 20, 0, site));
        Page page = new Page("it failed");
        page.add("failed", MemorySnapshot.of(allocator), address -> "holder");
        Path file = Files.writeString(FOLDER.resolve("failed.html"), page.html());
        try (Browser browser = new Browser()) {
            for (int width : new int[]{1400, 500}) {
                browser.size(width, 900);
                browser.open(file.toUri().toString());
                browser.await("document.body.dataset.ready === 'yes'");
                browser.screenshots("body", FOLDER, "failed-" + width);
                assertTrue(browser.run("const c = document.getElementById('curve');"
                        + "const p = c.getContext('2d').getImageData(c.width - 1, 3, 1, 1).data;"
                        + "return p[0] > 150 && p[1] < 60 && p[2] < 60").getAsBoolean(), "no red at the right edge");
                assertTrue(browser.run("const d = document.documentElement;"
                        + "return d.scrollHeight <= innerHeight && d.scrollWidth <= innerWidth").getAsBoolean());
                // a line of text, and not one letter below another
                assertTrue(browser.run("return document.querySelector('.line span').offsetHeight < 40").getAsBoolean());
                assertTrue(browser.run("return document.getElementById('axis').textContent").getAsString()
                        .startsWith("event 0, 0.00 s"));
            }
            assertTrue(browser.run("return document.getElementById('side').offsetWidth > 0.9 * innerWidth")
                    .getAsBoolean());
        }
    }

    private static void pan(Browser browser, String what) {
        browser.run("window.done = null; vramlab.bench(240, 10).then(r => window.done = r)");
        browser.await("window.done");
        JsonObject told = JsonParser.parseString(browser.run("return JSON.stringify(window.done)").getAsString())
                .getAsJsonObject();
        System.out.printf("%s: %.0f frames per second, %.1f ms to paint one, at most %.1f ms%n", what,
                told.get("fps").getAsDouble(), told.get("paint").getAsDouble(), told.get("slowest").getAsDouble());
        assertTrue(told.get("fps").getAsDouble() > 0);
    }
}
