package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scratch inside of single operations, as an H100 took it in twenty-nine scripts of styles that no set had. */
class ScriptsOfManyStylesTest {

    /** A mask of 8 x 1 places of which the values, 0 rows of 64, show that none is set: 4 bytes for how many, CUB's 1 and 1,023 numbers. */
    @Test
    void aMaskThatSetsNothingHasNoPlaces() throws IOException {
        assertEquals(List.of(4L, 1L, 1023L), sizes("aten.index_put_.default",
                form(1, "float32", "8,1,64", "64,64,1", 0) + form(2, "bool", "8,1", "1,1", 0)
                        + form(3, "float32", "0,64", "64,1", 0),
                "{\"t\":[1,1]},[{\"t\":[2,2]}],{\"t\":[3,3]}", "{\"t\":[1,1]}", ""));
    }

    /**
     * A number of the host's, written where a mask is set and by whole numbers besides: 4 bytes bring it over first. The mask's 100 places
     * are counted (4 bytes, CUB's 1) and listed (8 bytes each for as many as there may be).
     */
    @Test
    void oneNumberOfTheHostIsBroughtBeforeTheMaskIsRead() throws IOException {
        assertEquals(4L, sizes("aten.index_put_.default",
                form(1, "float32", "100,11", "11,1", 0) + form(2, "bool", "100", "1", 0)
                        + form(3, "int64", "100", "1", 0)
                        + form(4, "float32", "", "", 1),
                "{\"t\":[1,1]},[{\"t\":[2,2]},{\"t\":[3,3]}],{\"t\":[0,4]}", "{\"t\":[1,1]}", "").getFirst());
    }

    /** 128 matrices of 16 x 16: two arrays of 128 pointers, 8 bytes each, and only then cuBLAS's first workspace of 32 MiB. */
    @Test
    void manyTrianglesAreListedBeforeTheWorkspaceIsTaken() throws IOException {
        assertEquals(List.of(8192L, 1024L, 1024L, 33_554_432L), sizes("aten.linalg_solve_triangular.default",
                form(1, "float32", "128,16,16", "256,16,1", 0) + form(2, "float32", "128,16,1", "16,1,1", 0),
                "{\"t\":[1,1]},{\"t\":[2,2]}", "{\"t\":[3,2]}", "[3,8192]"));
    }

    /**
     * A level of 32 x 32 of features whose channels lie side by side, cut out of all levels' 1,344 places: packed, 3 x 128 x 32 x 32 x 4
     * = 1,572,864 bytes, after the result of 64 x 64.
     */
    @Test
    void channelsSideBySideWithGapsArePackedToBeEnlarged() throws IOException {
        assertEquals(List.of(6_291_456L, 1_572_864L), sizes("aten.upsample_bilinear2d.default",
                form(1, "float32", "3,128,32,32", "172032,1,4096,128", 0)
                        + form(2, "float32", "3,128,64,64", "524288,1,8192,128", 0),
                "{\"t\":[1,1]},[64,64],false", "{\"t\":[2,2]}", "[2,6291456]"));
    }

    /** A matrix of 512 reflections of 512 rows: (16,640 + 512 x 384) x 4 = 852,992 bytes; of 1,024: 1,639,424. */
    @Test
    void manyReflectionsAreTurnedIntoAMatrixByParts() throws IOException {
        assertEquals(852_992L, orthogonal(512).getLast());
        assertEquals(1_639_424L, orthogonal(1024).getLast());
    }

    private static List<Long> orthogonal(int n) throws IOException {
        String square = n + "," + n;
        return sizes("aten.linalg_qr.default",
                form(1, "float32", square, n + ",1", 0) + form(2, "float32", square, "1," + n, 0),
                "{\"t\":[1,1]}", "[{\"t\":[2,2]},{\"t\":[3,1]}]", "[2," + 4 * n * n + "],[3," + 4 * n * n + "]");
    }

    private static String form(int number, String dtype, String shape, String strides, int host) {
        return "[\"T\"," + number + ",\"" + dtype + "\",[" + shape + "],[" + strides + "],0," + host + "]\n";
    }

    private static List<Long> sizes(String operation, String forms, String arguments, String result, String made)
            throws IOException {
        String lines = "[\"O\",1,\"" + operation + "\"]\n" + forms + "[\"o\",1,0,0,1,[" + arguments + "],{}," + result
                + ",[" + made + "],\"\"]\n";
        return Plan.of(Recordings.of(lines), DeviceProfile.find("H200").orElseThrow(), "").sizes();
    }
}
