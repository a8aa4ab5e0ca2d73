package io.vramlab.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ArticleConformanceTest {

    @Test
    void everyMarkOfEveryExampleIsPyTorchs() throws Exception {
        Report report = ArticleConformance
                .check(Path.of(getClass().getResource("/oracle/articles.json.gz").toURI()));
        assertEquals(0, report.differing(), report::toString);
        assertEquals(798, report.compared());
    }
}
