package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.tensor.Lifetimes;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ten programs as somebody writes them who comes from PyTorch keep alive what CPython kept: lifetimes_ports.py recorded it. */
class LifetimesOfPortsTest {

    private final Device before = Device.current();
    private final Device device = Device.simulated("1GiB");

    @BeforeEach
    void count() {
        Device.set(device);
        Lifetimes.count(true);
        Lifetimes.check(true);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.check(false);
        Lifetimes.count(false);
        Device.set(before);
        device.close();
    }

    @Test
    void theyKeepAliveWhatCPythonKeptAtEveryMark() throws Exception {
        List<Recorded.Program> all;
        try (InputStream in = LifetimesOfPortsTest.class.getResourceAsStream("/oracle/lifetimes-ports.json.gz")) {
            all = Recorded.programs(in);
        }
        assertEquals(10, all.size());
        for (Recorded.Outcome each : Recorded.run(all)) {
            if (each.failure() != null) {
                throw new AssertionError(each.program().name(), each.failure());
            }
            assertEquals(live(each.program().expected()), live(each.marks()), each.program().name());
        }
        assertEquals(List.of(), Lifetimes.reachableThoughClosed());
    }

    private static List<Long> live(List<Recorded.Mark> marks) {
        List<Long> live = new ArrayList<>();
        marks.forEach(each -> live.add(each.live()));
        return live;
    }
}
