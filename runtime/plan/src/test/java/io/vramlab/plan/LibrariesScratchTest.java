package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies and scratch of single operations whose sizes an H100 took in the order told here. */
class LibrariesScratchTest {

    /** 81 blocks of 32 rows: 4 x 81 x 81 = 26,244 bytes, 26,272 in 32s, and 128; 4,500 rows: 141, 79,552 and 128. */
    @Test
    void aFactorOfCholeskyTakesFourBytesForEachBlock() throws IOException {
        assertEquals(List.of(26_400L, 79_680L), List.of(factor(2592), factor(4500)));
    }

    private static long factor(long side) throws IOException {
        String form = "[" + side + "," + side + "],[" + side + ",1],0,0]\n";
        return sizes("aten.linalg_cholesky_ex.default",
                "[\"T\",1,\"float32\"," + form + "[\"T\",2,\"int32\",[],[],0,0]\n", "{\"t\":[1,1]}",
                "[{\"t\":[2,1]},{\"t\":[3,2]}]", "[2," + 4 * side * side + "],[3,4]").getLast();
    }

    /** Colours: [3, 6] looked up by [2, 4, 4] of int32, 32 indices of 8 bytes; the result is 3 x 32 x 8. */
    @Test
    void indicesOf32BitsAreMadeWide() throws IOException {
        assertEquals(List.of(256L, 768L), sizes("aten.index.Tensor",
                "[\"T\",1,\"int64\",[3,6],[6,1],0,0]\n[\"T\",2,\"int32\",[2,4,4],[16,4,1],0,0]\n"
                        + "[\"T\",3,\"int64\",[3,2,4,4],[32,16,4,1],0,0]\n",
                "{\"t\":[1,1]},[null,{\"t\":[2,2]}]", "{\"t\":[3,3]}", "[3,768]"));
    }

    /** One loss for each of 8 x 463 words: the weights' total comes before the losses. */
    @Test
    void theWeightsTotalComesBeforeLossesOfPlaces() throws IOException {
        assertEquals(List.of(4L, 14_816L), sizes("aten.nll_loss2d_forward.default",
                "[\"T\",1,\"float32\",[8,32,1,463],[14816,463,463,1],0,0]\n"
                        + "[\"T\",2,\"int64\",[8,1,463],[463,463,1],0,0]\n[\"T\",3,\"float32\",[],[],0,0]\n"
                        + "[\"T\",4,\"float32\",[8,1,463],[463,463,1],0,0]\n",
                "{\"t\":[1,1]},{\"t\":[2,2]},null,0,-100", "[{\"t\":[3,4]},{\"t\":[4,3]}]", "[3,14816],[4,4]"));
    }

    /** YOLOS's places: 384 channels of 20 x 26, side by side, are packed for bicubic steps back whatever the two sizes are. */
    @Test
    void bicubicStepsBackReadPackedGradients() throws IOException {
        assertEquals(List.of(798_720L, 798_720L), sizes("aten.upsample_bicubic2d_backward.default",
                "[\"T\",1,\"float32\",[1,384,20,26],[238464,1,9984,384],0,0]\n"
                        + "[\"T\",2,\"float32\",[1,384,20,26],[199680,520,26,1],0,0]\n",
                "{\"t\":[1,1]},[20,26],[1,384,20,26],false", "{\"t\":[2,2]}", "[2,798720]"));
    }

    /**
     * 256 labels ten apart are packed first, 2,048; sorted, 2,048 and 1; then the result, a number and a selection. 1,179,648
     * float32: sorted keys and their sort, 171 tiles of 6,912; the selection has 181 tiles of 6,528, 8 x (32 + 181) = 1,704.
     */
    @Test
    void whatIsToldApartIsPackedAndSelectedByItsSize() throws IOException {
        assertEquals(List.of(2048L, 2048L, 1L, 2048L, 8L, 1023L), distinct("int64", "[256],[10]", 2048));
        assertEquals(List.of(4_718_592L, 4_902_399L, 4_718_592L, 8L, 2303L),
                distinct("float32", "[1179648],[1]", 4_718_592));
    }

    /** 65,536 int64 alone are sorted in 12 tiles of 5,760: 524,288, 16,384, 256 and 12 x 1,024, and 255. */
    @Test
    void wideKeysAloneAreSortedInTilesOfTheirOwn() throws IOException {
        assertEquals(524_288L + 16_384 + 256 + 12_288 + 255, distinct("int64", "[65536],[1]", 524_288).get(1));
    }

    private static List<Long> distinct(String dtype, String form, long bytes) throws IOException {
        return sizes("aten._unique2.default", "[\"T\",1,\"" + dtype + "\"," + form + ",0,0]\n", "{\"t\":[1,1]}",
                "[{\"t\":[2,1]},{\"t\":[3,1]},{\"t\":[4,1]}]", "[2," + bytes + "],[3," + bytes + "],[4," + bytes + "]");
    }

    private static List<Long> sizes(String operation, String forms, String arguments, String result, String made)
            throws IOException {
        String lines = "[\"O\",1,\"" + operation + "\"]\n" + forms + "[\"o\",1,0,0,1,[" + arguments + "],{}," + result
                + ",[" + made + "],\"\"]\n";
        return Plan.of(Recordings.of(lines), DeviceProfile.find("H200").orElseThrow(), "").sizes();
    }
}
