package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What single operations take besides their results, in order, as an H100 took it, or where it says so as the sources have it. */
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

    /** Products of 8 bits take cuBLAS's workspace with its handle, and those that are scaled cublasLt's as well (CUDABlas.cpp). */
    @Test
    void productsOfEightBitsGoThroughCublasLt() throws IOException {
        String matrices = "[\"T\",1,\"%s\",[256,512],[512,1],0,0]\n[\"T\",2,\"%s\",[512,128],[1,512],0,0]\n[\"T\",3,\"%s\",[256,128],[128,1],0,0]\n";
        assertEquals(List.of(131_072L, 33_554_432L),
                sizes("aten._int_mm.default", matrices.formatted("int8", "int8", "int32"),
                        "{\"t\":[1,1]},{\"t\":[2,2]}", "{\"t\":[3,3]}", "[3,131072]"));
        assertEquals(List.of(65_536L, 33_554_432L, 1_048_576L),
                sizes("aten._scaled_mm.default", matrices.formatted("float8_e4m3fn", "float8_e4m3fn", "bfloat16"),
                        "{\"t\":[1,1]},{\"t\":[2,2]}", "{\"t\":[3,3]}", "[3,65536]"));
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

    /** Quantization that is trained for: what observes looks for least and greatest of all, then come the rounded numbers and their mask; of weights for each of 64 rows. */
    @Test
    void whatIsObservedIsLookedThroughBeforeItIsRounded() throws IOException {
        String forms = "[\"T\",1,\"float32\",[16,64,24,24],[36864,576,24,1],0,0]\n[\"T\",2,\"bool\",[16,64,24,24],[36864,576,24,1],0,0]\n"
                + "[\"T\",3,\"float32\",[],[],0,0]\n[\"T\",4,\"int64\",[],[],0,0]\n[\"T\",5,\"float32\",[64,32,3,3],[288,9,3,1],0,0]\n"
                + "[\"T\",6,\"bool\",[64,32,3,3],[288,9,3,1],0,0]\n";
        String state = ",{\"t\":[2,4]},{\"t\":[3,4]},{\"t\":[4,3]},{\"t\":[5,3]},{\"t\":[6,3]},{\"t\":[7,4]},0.01,0,127,";
        List<Long> found = sizes("aten.aminmax.default", forms, "{\"t\":[1,1]}", "[{\"t\":[8,3]},{\"t\":[9,3]}]",
                "[8,4],[9,4]");
        assertEquals(Stream.concat(found.stream(), Stream.of(2_359_296L, 589_824L)).toList(),
                sizes("aten._fused_moving_avg_obs_fq_helper.default", forms, "{\"t\":[1,1]}" + state + "-1",
                        "[{\"t\":[8,1]},{\"t\":[9,2]}]", "[8,2359296],[9,589824]"));
        assertEquals(List.of(256L, 256L, 73_728L, 18_432L),
                sizes("aten._fused_moving_avg_obs_fq_helper.default", forms, "{\"t\":[1,5]}" + state + "0,true,true",
                        "[{\"t\":[8,5]},{\"t\":[9,6]}]", "[8,73728],[9,18432]"));
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

    /** A picture of 3 x 50 x 50 floats, colours last, becomes bytes on the host: its 30,000 bytes are laid in order first; where nobody waits it becomes 7,500 bytes here. */
    @Test
    void whatIsConvertedOnItsWayToTheHostIsLaidInOrderFirst() throws IOException {
        String picture = "[\"T\",1,\"float32\",[50,50,3],[50,1,2500],0,0]\n[\"T\",2,\"uint8\",[50,50,3],[50,1,2500],0,1]\n"
                + "[\"T\",3,\"float32\",[50,50,3],[50,1,2500],0,1]\n";
        assertEquals(List.of(30_000L), sizes("aten._to_copy.default", picture, "{\"t\":[1,1]}", "{\"t\":[0,2]}", ""));
        assertEquals(List.of(7_500L, 7_500L),
                sizes("aten.copy_.default", picture, "{\"t\":[0,2]},{\"t\":[1,1]},true", "{\"t\":[0,2]}", ""));
        assertEquals(List.of(),
                sizes("aten.copy_.default", picture, "{\"t\":[0,3]},{\"t\":[1,1]}", "{\"t\":[0,3]}", ""));
    }

    /** 7,500 bytes of a picture come over as they are where nobody waits, and become 30,000 bytes of floats there; else they are converted before. */
    @Test
    void whatIsConvertedOnItsWayToTheDeviceIsConvertedThereWhereNobodyWaits() throws IOException {
        String picture = "[\"T\",1,\"uint8\",[3,50,50],[2500,50,1],0,1]\n[\"T\",2,\"float32\",[3,50,50],[2500,50,1],0,0]\n";
        assertEquals(List.of(30_000L, 7_500L), sizes("aten._to_copy.default", picture,
                "{\"t\":[0,1]},null,null,null,null,true", "{\"t\":[2,2]}", "[2,30000]"));
        assertEquals(List.of(30_000L),
                sizes("aten._to_copy.default", picture, "{\"t\":[0,1]}", "{\"t\":[2,2]}", "[2,30000]"));
    }

    /** An LSTM of 4 rows, 5 times, 3 numbers and 8 units, of which only the state is used: zeros for the output's gradient (640 bytes) lie rows first, so they are turned, after the input (240). */
    @Test
    void zerosForAnOutputThatNobodyUsedAreTurnedAsItsGradientWouldBe() throws IOException {
        String forms = "[\"T\",1,\"float32\",[4,5,3],[15,3,1],0,0]\n[\"T\",2,\"float32\",[32,3],[3,1],0,0]\n[\"T\",3,\"float32\",[32,8],[8,1],0,0]\n"
                + "[\"T\",4,\"float32\",[1,4,8],[32,8,1],0,0]\n[\"T\",5,\"float32\",[4,5,8],[8,32,1],0,0]\n[\"T\",6,\"float32\",[0],[1],0,0]\n";
        String arguments = "{\"t\":[1,1]},[{\"t\":[1,2]},{\"t\":[1,3]}],2,{\"t\":[1,6]},{\"t\":[1,4]},{\"t\":[1,4]},{\"t\":[1,5]},null,{\"t\":[1,4]},{\"t\":[1,4]},"
                + "2,8,0,1,true,0.0,true,false,[],null,{\"t\":[1,6]},[true,true,true,true]";
        List<Long> found = sizes("aten._cudnn_rnn_backward.default", forms, arguments,
                "[{\"t\":[2,1]},{\"t\":[3,4]},{\"t\":[4,4]},[{\"t\":[5,2]},{\"t\":[5,3]}]]",
                "[2,240],[3,128],[4,128],[5,1408]");
        assertEquals(List.of(640L, 240L, 640L, 240L), found.subList(0, 4));
    }

    /** Functions of each element, copies with a part replaced, and rounding with its mask: nothing of theirs is left to a range. */
    @Test
    void whatIsComputedOfEachElementHasNothingInside() throws IOException {
        for (String name : List.of("atanh", "polygamma", "special_i0e", "select_scatter", "bitwise_left_shift")) {
            String lines = "[\"O\",1,\"aten." + name + ".default\"]\n[\"T\",1,\"float32\",[64],[1],0,0]\n"
                    + "[\"o\",1,0,0,1,[{\"t\":[1,1]}],{},{\"t\":[2,1]},[[2,256]],\"\"]\n";
            assertEquals(List.of(),
                    Plan.of(Recordings.of(lines), DeviceProfile.find("H200").orElseThrow(), "").unknownPlaces(), name);
        }
    }

    private static List<Long> sizes(String operation, String forms, String arguments, String result, String made)
            throws IOException {
        String lines = "[\"O\",1,\"" + operation + "\"]\n" + forms + "[\"o\",1,0,0,1,[" + arguments + "],{}," + result
                + ",[" + made + "],\"\"]\n";
        return Plan.of(Recordings.of(lines), DeviceProfile.find("H200").orElseThrow(), "").sizes();
    }
}
