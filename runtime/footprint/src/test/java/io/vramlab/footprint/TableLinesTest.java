package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableLinesTest {

    /** The last two have more digits, and more zeros, than a quotient of two exact numbers can stand for. */
    @Test
    void numbersAreTheNearestToTheirDecimals() {
        List<String> decimals = List.of("0", "7", "49.5", "0.1", "6.6e+03", "3.655e+07", "1e+22", "0.0000000123",
                "2.5e-07", "-3.25", "12345678901234567.5", "1.7e+35");
        TableLines lines = of(String.join("\n", decimals) + "\n");
        for (String decimal : decimals) {
            assertEquals(Double.parseDouble(decimal), lines.number(), decimal);
        }
        assertFalse(lines.isMore());
    }

    @Test
    void aTreeIsReadWhereItsNamesStand() {
        // feature 1 up to 2.5: "a"; above it feature 0 up to 1000: "b", else "a"
        byte[] text = "tree one\na b\n1 2.5\n=0\n0 1e+03\n=1\n=0\n".getBytes(StandardCharsets.US_ASCII);
        DecisionTree tree = DecisionTree.of(text, "tree one\n".length());
        assertEquals("a", tree.leaf(new double[]{0, 2.5}));
        assertEquals("b", tree.leaf(new double[]{1000, 3}));
        assertEquals("a", tree.leaf(new double[]{1001, 3}));
    }

    @Test
    void aLayerIsFoundByItsWholeText() {
        LayerIndex layers = new LayerIndex(3);
        layers.put("3 64 1".getBytes(StandardCharsets.US_ASCII), 6, 10, 11);
        layers.put("3 64 12".getBytes(StandardCharsets.US_ASCII), 7, 20, 21);
        int place = layers.find("3 64 12".getBytes(StandardCharsets.US_ASCII));
        assertEquals(List.of(20, 21), List.of(layers.series(place), layers.labels(place)));
        assertEquals(10, layers.series(layers.find("3 64 1".getBytes(StandardCharsets.US_ASCII))));
        assertEquals(-1, layers.find("3 64".getBytes(StandardCharsets.US_ASCII)));
    }

    private static TableLines of(String text) {
        return new TableLines(text.getBytes(StandardCharsets.US_ASCII), 0);
    }
}
