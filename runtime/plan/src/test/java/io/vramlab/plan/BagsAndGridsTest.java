package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies and scratch inside of single operations, as an H100 took them in scripts that were judged. */
class BagsAndGridsTest {

    /**
     * 5,000 entries of 4 rows of 64 numbers in 1,000 bags: 5,000 / 10 + 4 = 504 pieces, each summed by its own into 64 float32,
     * 504 x 64 x 4 = 129,024 bytes, where an embedding's few long segments would be summed by all blocks at once.
     */
    @Test
    void bagsSumPiecesOfTheirRowsApart() throws IOException {
        assertEquals(129_024L, sizes("aten._embedding_bag_backward.default",
                form(1, "float32", "1000,64", "64,1") + form(2, "int64", "5000", "1") + form(3, "int64", "1000", "1")
                        + form(4, "float32", "4,64", "64,1"),
                "{\"t\":[1,1]},{\"t\":[2,2]},{\"t\":[3,3]},{\"t\":[4,2]},{\"t\":[5,3]},null,4,false,0,false,null,-1",
                "{\"t\":[6,4]}", "[6,1024]").getLast());
    }

    /** 1,000 ends of edges, every other number of int64: packed for their least and once more for their greatest. */
    @Test
    void whatIsCountedIsPackedToBeCompared() throws IOException {
        assertEquals(List.of(8L, 8000L, 8L, 8000L, 400L), sizes("aten.bincount.default",
                form(1, "int64", "1000", "2") + form(2, "int64", "50", "1"), "{\"t\":[1,1]},null,50", "{\"t\":[2,2]}",
                "[2,400]"));
    }

    /**
     * Places of two images of 8 x 8 times two matrices: 2 x 64 x 3 float32, the numbers of each side three times, the result of
     * 2 x 64 x 2, and then the 32 MiB of a product's first workspace.
     */
    @Test
    void aGridOfPlacesIsAProduct() throws IOException {
        assertEquals(List.of(1536L, 32L, 32L, 32L, 32L, 32L, 32L, 1024L, 33_554_432L),
                sizes("aten.affine_grid_generator.default",
                        form(1, "float32", "2,2,3", "6,3,1") + form(2, "float32", "2,8,8,2", "128,16,2,1"),
                        "{\"t\":[1,1]},[2,3,8,8],false", "{\"t\":[2,2]}", "[2,1024]"));
    }

    private static String form(int number, String dtype, String shape, String strides) {
        return "[\"T\"," + number + ",\"" + dtype + "\",[" + shape + "],[" + strides + "],0,0]\n";
    }

    private static List<Long> sizes(String operation, String forms, String arguments, String result, String made)
            throws IOException {
        String lines = "[\"O\",1,\"" + operation + "\"]\n" + forms + "[\"o\",1,0,0,1,[" + arguments + "],{}," + result
                + ",[" + made + "],\"\"]\n";
        return Plan.of(Recordings.of(lines), DeviceProfile.find("H200").orElseThrow(), "").sizes();
    }
}
