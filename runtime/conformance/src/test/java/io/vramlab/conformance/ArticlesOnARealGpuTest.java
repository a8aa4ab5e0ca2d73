package io.vramlab.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The articles' examples with real kernels and a real driver's addresses, on an H200 as the recordings' is. Which of two
 * free blocks of one size is taken follows from the driver's addresses, and with it how the rest is cut up: inactive split
 * bytes are not compared here.
 */
@Tag("gpu")
class ArticlesOnARealGpuTest {

    private static Device gpu;

    @BeforeAll
    static void useIt() {
        gpu = Device.select("cuda:0");
    }

    @AfterAll
    static void giveItBack() {
        Device.select("sim:8GiB");
        gpu.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"articles", "articles_default_workspaces"})
    void everyMarkIsPyTorchsUpToTheDriversAddresses(String recording) throws Exception {
        ComparisonReport report = ArticleConformance.check(
                Path.of(getClass().getResource("/oracle/" + recording + ".json.gz").toURI()),
                gpu);
        for (String figure : List.of(ArticleConformance.ERRORS, "label", "allocated", "allocated_peak", "reserved",
                "requested", "active", "allocations", "segments")) {
            assertEquals(report.total(figure), report.equal(figure), figure + ": " + report);
        }
        assertEquals(798, report.compared());
    }
}
