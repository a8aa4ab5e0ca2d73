package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operations take for a moment, or anew, besides their results: as an H100 took it for four scripts of the eleventh set. */
class OperandsBroughtTest {

    @Test
    void whereBringsWhatIsOfAnotherTypeToTheResults() throws IOException {
        // 1,000 float32 and as many bfloat16: the copy in float32, then the result
        assertEquals(List.of(4000L, 4000L), sizes("aten.where.self",
                "[\"T\",1,\"bool\",[1000],[1],0,0]\n[\"T\",2,\"bfloat16\",[1000],[1],0,0]\n[\"T\",3,\"float32\",[1000],[1],0,0]\n",
                "[{\"t\":[1,1]},{\"t\":[2,2]},{\"t\":[3,3]}],{},{\"t\":[4,3]},[[4,4000]]"));
        assertEquals(List.of(4000L), sizes("aten.where.self",
                "[\"T\",1,\"bool\",[1000],[1],0,0]\n[\"T\",2,\"float32\",[1000],[1],0,0]\n",
                "[{\"t\":[1,1]},{\"t\":[2,2]},{\"t\":[3,2]}],{},{\"t\":[4,2]},[[4,4000]]"));
    }

    @Test
    void sumsOfALayerNormsPartsAreNewVectors() throws IOException {
        // 108,416 rows of 96 float32: the input's gradient; two vectors; 3,388 parts each; a new vector with the scratch of its sum, twice
        long input = 108_416L * 96 * 4;
        long parts = 3388L * 96 * 4;
        assertEquals(List.of(input, 384L, 384L, parts, parts, 384L, 663_552L, 8L, 384L, 663_552L, 8L), sizes(
                "aten.native_layer_norm_backward.default",
                "[\"T\",1,\"float32\",[108416,96],[96,1],0,0]\n[\"T\",2,\"float32\",[108416,1],[1,1],0,0]\n[\"T\",3,\"float32\",[96],[1],0,0]\n",
                "[{\"t\":[1,1]},{\"t\":[2,1]},[96],{\"t\":[3,2]},{\"t\":[4,2]},{\"t\":[5,3]},{\"t\":[6,3]},[true,true,true]],{},"
                        + "[{\"t\":[7,1]},{\"t\":[8,3]},{\"t\":[9,3]}],[[7," + input + "],[8,384],[9,384]]"));
    }

    @Test
    void moreThanAFewLargestAreSortedAfterwards() throws IOException {
        // 4,494,854 of 14,982,848: values and positions; the search; positions and values again, the order at first, CUB's sort, what was found
        List<Long> sizes = sizes("aten.topk.default",
                "[\"T\",1,\"float32\",[14982848],[1],0,0]\n[\"T\",2,\"float32\",[4494854],[1],0,0]\n[\"T\",3,\"int64\",[4494854],[1],0,0]\n",
                "[{\"t\":[1,1]},4494854,-1,false],{},[{\"t\":[2,2]},{\"t\":[3,3]}],[[2,17979416],[3,35958832]]");
        assertEquals(List.of(35_958_832L, 17_979_416L, 35_958_832L, 54_804_479L, 35_958_832L),
                sizes.subList(sizes.size() - 5, sizes.size()));
    }

    @Test
    void whatIsMarkedIsSelectedInTilesOfFourThousand() throws IOException {
        // 3,548 tiles of 4,224: (32 + 3,548) states of 8 bytes, rounded up to 256, 256 more and room to be aligned
        List<Long> sizes = sizes("aten.nonzero.default",
                "[\"T\",1,\"bool\",[14982848],[1],0,0]\n[\"T\",2,\"int64\",[14982848,1],[1,1],0,0]\n",
                "[{\"t\":[1,1]}],{},{\"t\":[2,2]},[[2,119862784]]");
        assertEquals(List.of(119_862_784L, 29_183L), sizes.subList(sizes.size() - 2, sizes.size()));
    }

    private static List<Long> sizes(String operation, String forms, String line) throws IOException {
        return Plan
                .of(Recordings.of("[\"O\",1,\"" + operation + "\"]\n" + forms + "[\"o\",1,0,0,0," + line + ",\"\"]\n"),
                        DeviceProfile.find("H100-80GB").orElseThrow(), "")
                .sizes();
    }
}
