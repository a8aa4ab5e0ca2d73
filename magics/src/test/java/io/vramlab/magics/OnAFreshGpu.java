package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.Sanitizer;
import io.vramlab.magics.table.TableRenderer;
import io.vramlab.magics.track.Tracking;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.LiveTensors;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;

/** What tests of magics begin with: a simulated GPU of 1 GiB that nobody has used, and a session without variables. */
public abstract class OnAFreshGpu {

    /** Bytes. */
    protected static final long MIB = 1 << 20;

    /** The session. */
    protected final FakeSession session = new FakeSession();

    @BeforeEach
    final void chooseAFreshGpu() {
        Device.select("sim:1GiB");
        LiveTensors.recordSites(true);
    }

    @AfterEach
    final void stopTracking() {
        Tracking.of(session).stop();
        Device.select("sim:8GiB");
    }

    /** Its allocator. */
    protected static Allocator allocator() {
        return Allocators.of(Device.current());
    }

    /** Runs {@code %name arguments}; its HTML must survive an untrusted notebook. */
    protected ReportTable run(String name, String arguments) throws Exception {
        ReportTable report = (ReportTable) Magics.run(name, arguments, session);
        if (report != null) {
            Assertions.assertEquals(List.of(), Sanitizer.removed(new TableRenderer().render(report).get("text/html")));
        }
        return report;
    }

    /** A table's plain text. */
    protected static String text(ReportTable report) {
        return new TableRenderer().render(report).get("text/plain");
    }
}
