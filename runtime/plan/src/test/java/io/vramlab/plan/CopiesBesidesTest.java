package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What single operations take besides their results, in order, as an H100 took it. */
class CopiesBesidesTest {

    /**
     * ConvNeXt's norm over 100,352 rows of 96: the input's gradient, vectors of 384, parts of 3,136 rows; then for each a new
     * vector, with a reduction's staging and semaphores.
     */
    @Test
    void layerNormsOfManyRowsSumTheirPartsIntoNewVectors() throws IOException {
        long rows = 32 * 56 * 56 * 96 * 4L;
        assertEquals(List.of(rows, 384L, 384L, 1_204_224L, 1_204_224L, 384L, 614_400L, 8L, 384L, 614_400L, 8L),
                sizes("aten.native_layer_norm_backward.default",
                        "[\"T\",1,\"float32\",[32,56,56,96],[301056,5376,96,1],0,0]\n"
                                + "[\"T\",2,\"float32\",[96],[1],0,0]\n",
                        "{\"t\":[1,1]},{\"t\":[2,1]},[96],null,null,{\"t\":[3,2]},{\"t\":[4,2]},[true,true,true]",
                        "[{\"t\":[5,1]},{\"t\":[6,2]},{\"t\":[7,2]}]", "[5," + rows + "],[6,384],[7,384]"));
    }

    /** Without a gradient of the weight there is nothing to sum. */
    @Test
    void layerNormsWhoseWeightsDoNotLearnHaveNoParts() throws IOException {
        long rows = 32 * 56 * 56 * 96 * 4L;
        assertEquals(List.of(rows), sizes("aten.native_layer_norm_backward.default",
                "[\"T\",1,\"float32\",[32,56,56,96],[301056,5376,96,1],0,0]\n[\"T\",2,\"float32\",[96],[1],0,0]\n",
                "{\"t\":[1,1]},{\"t\":[2,1]},[96],null,null,{\"t\":[3,2]},{\"t\":[4,2]},[true,false,false]",
                "[{\"t\":[5,1]},null,null]", "[5," + rows + "]"));
    }

    /** torchvision's blur: one filter of 9 by 9 seen three times is copied for three channels, 972 bytes, before the result. */
    @Test
    void aFilterThatIsSeenSeveralTimesIsCopied() throws IOException {
        assertEquals(List.of(972L, 307_200L), sizes("aten.convolution.default",
                "[\"T\",1,\"float32\",[1,3,168,168],[84672,28224,168,1],0,0]\n"
                        + "[\"T\",2,\"float32\",[3,1,9,9],[0,81,9,1],0,0]\n"
                        + "[\"T\",3,\"float32\",[1,3,160,160],[76800,25600,160,1],0,0]\n",
                "{\"t\":[1,1]},{\"t\":[2,2]},null,[1,1],[0,0],[1,1],false,[0,0],3", "{\"t\":[3,3]}",
                "[3,307200]"));
    }

    /** A crop that is made larger: the result, and the crop packed, 3 x 128 x 136 x 4. */
    @Test
    void aCropIsPackedBeforeItIsSmoothed() throws IOException {
        assertEquals(List.of(307_200L, 208_896L), sizes("aten._upsample_bilinear2d_aa.default",
                "[\"T\",1,\"float32\",[1,3,128,136],[110592,36864,192,1],0,0]\n"
                        + "[\"T\",2,\"float32\",[1,3,160,160],[76800,25600,160,1],0,0]\n",
                "{\"t\":[1,1]},[160,160],false,null,null", "{\"t\":[2,2]}", "[2,307200]"));
    }

    /** A single row with a bias goes through cublasLt as several do: its workspace comes after cuBLAS's. */
    @Test
    void oneImagesClassesGoThroughCublasLt() throws IOException {
        assertEquals(List.of(2000L, 33_554_432L, 1_048_576L), sizes("aten.addmm.default",
                "[\"T\",1,\"float16\",[1000],[1],0,0]\n[\"T\",2,\"float16\",[1,2048],[2048,1],0,0]\n"
                        + "[\"T\",3,\"float16\",[2048,1000],[1,2048],0,0]\n[\"T\",4,\"float16\",[1,1000],[1000,1],0,0]\n",
                "{\"t\":[1,1]},{\"t\":[2,2]},{\"t\":[3,3]}", "{\"t\":[4,4]}", "[4,2000]"));
    }

    /** Labels of one sequence of eight, packed; as many results as labels, a number, a pass; runs and counts are empty. */
    @Test
    void labelsThatLieApartArePackedBeforeRepeatedOnesAreDropped() throws IOException {
        assertEquals(List.of(3824L, 3824L, 8L, 1023L), sizes("aten.unique_consecutive.default",
                "[\"T\",1,\"int64\",[478],[8],0,0]\n[\"T\",2,\"int64\",[478],[1],0,0]\n", "{\"t\":[1,1]}",
                "[{\"t\":[2,2]},{\"t\":[3,2]},{\"t\":[4,2]}]", "[2,3824],[3,3824],[4,3824]"));
    }

    /** Half of each row of a mask, 64 x 8, is packed before it is looked through: 512 bytes; then as for a mask that lies packed. */
    @Test
    void aMaskThatDoesNotLiePackedIsPackedBeforeItsPlacesAreFound() throws IOException {
        String found = "[\"T\",2,\"int64\",[5,2],[1,5],0,0]\n";
        List<Long> packed = sizes("aten.nonzero.default", "[\"T\",1,\"bool\",[64,8],[8,1],0,0]\n" + found,
                "{\"t\":[1,1]}",
                "{\"t\":[2,2]}", "[2,80]");
        List<Long> apart = sizes("aten.nonzero.default", "[\"T\",1,\"bool\",[64,8],[16,1],0,0]\n" + found,
                "{\"t\":[1,1]}",
                "{\"t\":[2,2]}", "[2,80]");
        assertEquals(Stream.concat(Stream.of(512L), packed.stream()).toList(), apart);
        List<Long> expanded = sizes("aten.index.Tensor",
                "[\"T\",1,\"bool\",[64,8],[1,0],0,0]\n[\"T\",2,\"float32\",[64,8],[8,1],0,0]\n"
                        + "[\"T\",3,\"float32\",[5],[1],0,0]\n",
                "{\"t\":[1,2]},[{\"t\":[2,1]}]", "{\"t\":[3,3]}", "[3,20]");
        assertEquals(List.of(512L, 4L), expanded.subList(0, 2));
        List<Long> widened = sizes("aten.masked_select.default",
                "[\"T\",1,\"bool\",[64,1],[1,1],0,0]\n[\"T\",2,\"float32\",[64,8],[8,1],0,0]\n"
                        + "[\"T\",3,\"float32\",[8],[1],0,0]\n",
                "{\"t\":[1,2]},{\"t\":[2,1]}", "{\"t\":[3,3]}", "[3,32]");
        assertEquals(List.of(512L, 4L), widened.subList(0, 2));
    }

    /** Two rows of 41 out of 60 go to the host by way of a copy on the device; what is dense goes as it lies. */
    @Test
    void whatIsNotDenseIsPackedOnItsWayToTheHost() throws IOException {
        String host = "[\"T\",2,\"int64\",[2,41],[41,1],0,1]\n";
        assertEquals(List.of(656L), sizes("aten._to_copy.default", "[\"T\",1,\"int64\",[2,41],[60,1],0,0]\n" + host,
                "{\"t\":[1,1]}", "{\"t\":[0,2]}", ""));
        assertEquals(List.of(), sizes("aten._to_copy.default", "[\"T\",1,\"int64\",[2,41],[41,1],0,0]\n" + host,
                "{\"t\":[1,1]}", "{\"t\":[0,2]}", ""));
    }

    private static List<Long> sizes(String operation, String forms, String arguments, String result, String made)
            throws IOException {
        String lines = "[\"O\",1,\"" + operation + "\"]\n" + forms + "[\"o\",1,0,0,1,[" + arguments + "],{}," + result
                + ",[" + made + "],\"\"]\n";
        return Plan.of(Recordings.of(lines), DeviceProfile.find("H200").orElseThrow(), "").sizes();
    }
}
