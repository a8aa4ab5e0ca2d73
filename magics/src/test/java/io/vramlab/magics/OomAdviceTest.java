package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.data.Batch;
import io.vramlab.data.DataLoader;
import io.vramlab.data.TensorDataset;
import io.vramlab.device.Device;
import io.vramlab.device.Stream;
import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.Outcome;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.Sanitizer;
import io.vramlab.magics.table.TableRenderer;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.MemPool;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ten ways to run out of memory; in each the first advice is followed and the request then succeeds. */
class OomAdviceTest extends OnAFreshGpu {

    private static final int M = 1 << 20;

    private final AfterCell listener = new AfterCell();

    @BeforeEach
    void aSmallGpu() {
        Device.select("sim:100MiB");
    }

    @AfterEach
    void unwatch() {
        listener.sessionEnded(session);
    }

    /** A tensor of so many MiB. */
    private static Tensor mib(long mebibytes) {
        return Tensor.empty(mebibytes * M / 4);
    }

    /** Runs a cell that runs out of memory; the report that appears under it. */
    private ReportTable fails(Supplier<Tensor> request) {
        Cell cell = new Cell(9, "Tensor big = request();");
        session.cell(9);
        listener.cellStarted(cell, session);
        OutOfMemoryException error = assertThrows(OutOfMemoryException.class, request::get);
        listener.cellFinished(cell, new Outcome(null, error, 1), session);
        ReportTable report = (ReportTable) session.displayed().get(session.displayed().size() - 1);
        assertEquals(List.of(), Sanitizer.removed(new TableRenderer().render(report).get("text/html")));
        return report;
    }

    private static String first(ReportTable report) {
        return report.stringColumn("run").get(0);
    }

    /** Follows a %del and allocates again. */
    private void follow(ReportTable report, String expected, Supplier<Tensor> request) throws Exception {
        assertEquals(expected, first(report), text(report));
        run("del", first(report).substring("%del ".length()));
        request.get().close();
    }

    @Test
    void fragmentation() {
        List<Tensor> kept = new ArrayList<>();
        List<Tensor> gaps = new ArrayList<>();
        // 5 segments of 20 MiB, each 9 kept, 9 free, 2 over
        for (int i = 0; i < 5; i++) {
            kept.add(mib(9));
            gaps.add(mib(9));
        }
        gaps.forEach(Tensor::close);
        session.put("kept", "List", kept);
        ReportTable report = fails(() -> mib(30));
        assertTrue(first(report).startsWith("%alloc_conf expandable_segments:True"), text(report));
        assertTrue(report.sections().get(0).notes().toString().contains("Fragmentation"), text(report));
        kept.forEach(Tensor::close);
        Device.select("sim:100MiB");
        ((CachingAllocator) allocator()).configure(AllocatorSettings.DEFAULT.with("expandable_segments:True"));
        List<Tensor> again = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            again.add(mib(9));
        }
        mib(30).close();
        again.forEach(Tensor::close);
    }

    @Test
    void aLeakByAnOldResult() throws Exception {
        session.put("$4", "Tensor", mib(60)).put("x", "Tensor", mib(12));
        follow(fails(() -> mib(50)), "%del $4", () -> mib(50));
    }

    /** A group that two variables hold together is only asked for where one alone is not enough. */
    @Test
    void whoCanBeServedByGivingUpOneVariableIsNotAskedForTwo() {
        Tensor shared = mib(20);
        session.put("leak", "List", new ArrayList<>(List.of(mib(60), shared)))
                .put("other", "List", new ArrayList<>(List.of(shared)));
        List<String> words = fails(() -> mib(50)).stringColumn("what would have helped").asList();
        assertTrue(words.contains("Give up leak"), words.toString());
        assertTrue(words.stream().noneMatch(each -> each.contains("leak and other")), words.toString());
    }

    @Test
    void tooLargeForTheDevice() {
        ReportTable report = fails(() -> mib(300));
        assertEquals("a smaller batch", first(report));
        String words = report.stringColumn("what would have helped").get(0);
        assertTrue(words.startsWith("Ask for less: up to "), words);
        long fits = Long.parseLong(words.replaceAll(".*\\(([0-9,]+) bytes\\).*", "$1").replace(",", ""));
        allocator().free(allocator().allocate(fits, 0));
        assertThrows(OutOfMemoryException.class, () -> allocator().allocate(fits + M, 0));
    }

    @Test
    void theLimit() throws Exception {
        session.put("x", "Tensor", mib(30));
        run("memory_fraction", "0.5");
        ReportTable report = fails(() -> mib(40));
        assertEquals("%memory_fraction 1", first(report), text(report));
        run("memory_fraction", "1");
        mib(40).close();
    }

    @Test
    void optimizerState() throws Exception {
        session.put("model", "Map", Map.of("weight", mib(20)));
        session.put("optimizer", "Map", Map.of("m", mib(20), "v", mib(20)));
        ReportTable report = fails(() -> mib(70));
        follow(report, "%del optimizer", () -> mib(70));
    }

    private static List<Tensor> lossesWithGraphs() {
        List<Tensor> losses = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Tensor x = mib(9).requiresGrad_(true);
            losses.add(x.mul(x).sum());
            x.close();
        }
        return losses;
    }

    @Test
    void retainedGraphs() throws Exception {
        session.put("losses", "List", lossesWithGraphs()).put("x", "Tensor", mib(11));
        follow(fails(() -> mib(60)), "%del losses", () -> mib(60));
    }

    @Test
    void anotherStreamHasIt() {
        Device gpu = Device.current();
        Stream other = new Stream(gpu);
        try (var use = other.use()) {
            Tensor pin = mib(11);
            // one segment of 80 MiB on the other stream, of which 40 stay in use
            Tensor large = mib(80);
            large.close();
            session.put("half", "Tensor", mib(38));
            pin.close();
        }
        ReportTable report = fails(() -> mib(40));
        assertEquals("try (var u = stream.use()) { … }", first(report), text(report));
        try (var use = other.use()) {
            mib(40).close();
        }
    }

    /** A prefetcher: pinned batches of a loader, copied to the GPU ahead of their use. */
    private static ArrayDeque<Tensor> copiedAhead() {
        ArrayDeque<Tensor> ahead = new ArrayDeque<>();
        try (Tensor onGpu = Tensor.zeros(3, 20 * M / 4); Tensor samples = onGpu.cpu()) {
            onGpu.close();
            allocator().emptyCache();
            DataLoader loader = new DataLoader(new TensorDataset(samples), 1).pinMemory(true).numWorkers(1)
                    .prefetchFactor(2);
            for (Batch batch : loader) {
                try (batch) {
                    ahead.add(batch.get(0).cuda(true));
                }
            }
        }
        return ahead;
    }

    @Test
    void pinnedBatchesCopiedAhead() throws Exception {
        session.put("ahead", "Deque", copiedAhead());
        follow(fails(() -> mib(60)), "%del ahead", () -> mib(60));
    }

    private static final class Cached {
        private static Tensor best;
    }

    @Test
    void aStaticFieldIsSetToNull() {
        Cached.best = mib(60);
        session.inStaticField("Cached.best", Cached.best);
        ReportTable report = fails(() -> mib(50));
        assertEquals("Cached.best = null;", first(report), text(report));
        Cached.best.close();
        Cached.best = null;
        mib(50).close();
    }

    @Test
    void aPoolThatLiesIdle() {
        MemPool pool = new MemPool(Device.current());
        try (var use = pool.use()) {
            mib(60).close();
        }
        ReportTable report = fails(() -> mib(70));
        assertEquals("pool.close(); Cuda.emptyCache();", first(report), text(report));
        pool.close();
        allocator().emptyCache();
        mib(70).close();
    }

    /** Not in the test itself, whose frame would hold it too. */
    private void shareBetweenAAndB() {
        Tensor shared = mib(60);
        session.put("a", "Tensor", shared).put("b", "List", List.of(shared));
    }

    @Test
    void anAliasMustGoToo() throws Exception {
        shareBetweenAAndB();
        follow(fails(() -> mib(50)), "%del a b", () -> mib(50));
    }

    @Test
    void theErrorCanBeAskedForAgainAndBeforeOneThereIsAMessage() throws Exception {
        assertTrue(assertThrows(UsageException.class, () -> run("oom", "")).getMessage().contains("There was none"));
        session.put("x", "Tensor", mib(60));
        fails(() -> mib(50));
        ReportTable report = run("oom", "");
        assertEquals("%del x", first(report));
        assertEquals(50L * M, report.sections().get(0).longColumn("bytes").getLong(0));
        assertNull(Magics.run("oom", "--help", session));
    }
}
