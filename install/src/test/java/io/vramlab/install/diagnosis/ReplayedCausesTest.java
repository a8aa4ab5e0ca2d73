package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.vramlab.install.story.Story;
import io.vramlab.device.Device;
import io.vramlab.install.diagnosis.Figures.Cause;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.TraceEntry;

/**
 * Training runs that PyTorch recorded without a limit, done again under limits and settings, each with a history of its own:
 * a leaking network, a GPT-2 and a ResNet-18 with inputs of varying size.
 */
class ReplayedCausesTest {

    private static final long MIB = 1L << 20;
    private static final Map<String, List<TraceEntry>> RECORDED = new ConcurrentHashMap<>();

    private static List<TraceEntry> recorded(String workload) throws IOException {
        if (!RECORDED.containsKey(workload)) {
            Path folder = Path.of("").toAbsolutePath();
            while (!folder.resolve("mvnw").toFile().exists()) {
                folder = folder.getParent();
            }
            RECORDED.put(workload, MemorySnapshot.read(folder.resolve(
                    "runtime/conformance/src/test/resources/oracle/whatif/" + workload + "_default_nolimit.pickle.gz"))
                    .traces()
                    .getFirst());
        }
        return RECORDED.get(workload);
    }

    /** What the run leaves behind when it ends, or when it runs out of memory. */
    private static Story run(String workload, String conf, long limit) throws IOException {
        CachingAllocator allocator = (CachingAllocator) Allocators.of(Device.simulated("139GiB"));
        allocator.configure(AllocatorSettings.DEFAULT.with(conf));
        allocator.recordHistory(HistoryOptions.withoutStacks());
        if (limit > 0) {
            allocator.setMemoryLimit(limit);
        }
        Map<Long, Long> addresses = new HashMap<>();
        try {
            for (TraceEntry event : recorded(workload)) {
                switch (event.action()) {
                    case ALLOC -> addresses.put(event.address(), allocator.allocate(event.size(), 0));
                    case FREE_COMPLETED -> allocator.free(addresses.remove(event.address()));
                    default -> {
                        // the allocator's own
                    }
                }
            }
        } catch (OutOfMemoryException expected) {
            // the history tells
        }
        return Story.of(MemorySnapshot.of(allocator), 0);
    }

    // as PyTorch under the same limits and settings: out of memory or through (whatif.py's results)
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            leak    |                                  | 1108 | LEAK          | true
            leak    | expandable_segments:True         | 1108 | LEAK          | true
            leak    | max_split_size_mb:64             | 1108 | LEAK          | true
            leak    | roundup_power2_divisions:8       | 1108 | LEAK          | true
            leak    | garbage_collection_threshold:0.8 | 1108 | LEAK          | true
            leak    |                                  | 700  | LEAK          | true
            leak    |                                  | 0    | LEAK          | false
            leak    | expandable_segments:True         | 0    | LEAK          | false
            gpt2    |                                  | 3916 | FRAGMENTATION | true
            gpt2    | max_split_size_mb:64             | 3916 | FRAGMENTATION | false
            gpt2    | expandable_segments:True         | 3916 | NONE          | false
            gpt2    | expandable_segments:True         | 3000 | LIMIT         | true
            gpt2    |                                  | 0    | FRAGMENTATION | false
            convnet |                                  | 1163 | FRAGMENTATION | false
            convnet | max_split_size_mb:64             | 1163 | FRAGMENTATION | false
            convnet | expandable_segments:True         | 1163 | NONE          | false
            convnet | expandable_segments:True         | 900  | LIMIT         | true
            convnet |                                  | 0    | FRAGMENTATION | false
            """)
    void theCauseIsNamedUnderEverySetting(String workload, String conf, long limitMib, Cause cause, boolean fails)
            throws IOException {
        Story story = run(workload, conf == null ? "" : conf, limitMib * MIB);
        Figures diagnosis = Figures.of(story);
        assertEquals(fails, !story.failures().isEmpty());
        assertEquals(cause, diagnosis.cause(), () -> String.join("\n", diagnosis.sentences()));
    }
}
