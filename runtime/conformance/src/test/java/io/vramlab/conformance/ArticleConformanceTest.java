package io.vramlab.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArticleConformanceTest {

    @ParameterizedTest
    @ValueSource(strings = {"articles", "articles_default_workspaces"})
    void everyMarkOfEveryExampleIsPyTorchs(String recording) throws Exception {
        ComparisonReport report = ArticleConformance
                .check(Path.of(getClass().getResource("/oracle/" + recording + ".json.gz").toURI()));
        assertEquals(0, report.differing(), report::toString);
        assertEquals(798, report.compared());
    }
}
