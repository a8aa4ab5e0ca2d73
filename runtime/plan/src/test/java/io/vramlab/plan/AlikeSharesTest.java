package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class AlikeSharesTest {

    private static final long MIB = 1L << 20;

    private static List<String> rows(Share... shares) {
        return AlikeShares.of(List.of(shares)).stream()
                .map(each -> each.bytes() / MIB + " MiB " + each.words() + " " + each.count()).toList();
    }

    private static Share layer(String number, long mib, int blocks) {
        return new Share("activations of GPT.blocks." + number, mib * MIB, blocks);
    }

    /** 3 layers of 40 MiB are 120 MiB, more than the parameters' 100: the row stands first. */
    @Test
    void equalLayersAreOneRowThatStandsWhereItsSumBelongs() {
        assertEquals(List.of("120 MiB activations of GPT.blocks.0..2, 3 × 40.00 MiB (41,943,040 bytes) 36",
                "100 MiB parameters 7"),
                rows(new Share("parameters", 100 * MIB, 7), layer("0", 40, 12), layer("1", 40, 12),
                        layer("2", 40, 12)));
    }

    @Test
    void aLayerOfAnotherSizeOrWithOtherBlocksStandsAlone() {
        assertEquals(
                List.of("80 MiB activations of GPT.blocks.0, 3, 2 × 40.00 MiB (41,943,040 bytes) 24",
                        "44 MiB activations of GPT.blocks.5 12", "40 MiB activations of GPT.blocks.4 11"),
                rows(layer("5", 44, 12), layer("0", 40, 12), layer("3", 40, 12), layer("4", 40, 11)));
    }

    @Test
    void layersOfTwoStacksAreTwoRows() {
        assertEquals(List.of("20 MiB activations of T.encoder.0..1, 2 × 10.00 MiB (10,485,760 bytes) 2",
                "20 MiB activations of T.decoder.0..1, 2 × 10.00 MiB (10,485,760 bytes) 2"),
                rows(new Share("activations of T.encoder.0", 10 * MIB, 1),
                        new Share("activations of T.encoder.1", 10 * MIB, 1),
                        new Share("activations of T.decoder.0", 10 * MIB, 1),
                        new Share("activations of T.decoder.1", 10 * MIB, 1)));
    }
}
