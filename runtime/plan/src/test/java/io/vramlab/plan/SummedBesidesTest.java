package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sums inside of other operations, and workspaces that a program clears. */
class SummedBesidesTest {

    private static final String GATES = "[\"T\",1,\"float32\",[1024,768],[768,1],0,0]\n";
    private static final String STATE = "[\"T\",2,\"float32\",[1024,256],[256,1],0,0]\n";
    private static final String BIAS = "[\"T\",3,\"float32\",[768],[1],0,0]\n";

    private static List<Long> sizes(String lines) throws IOException {
        return Plan.of(Recordings.of(lines), DeviceProfile.find("H200").orElseThrow(), "").sizes();
    }

    /**
     * Gradients of both gates are 1,024 x 768 x 4 bytes, that of the state 1,024 x 256 x 4, of a bias 768 x 4: each a sum of 1,024
     * rows, for which an H100 and an H200 took what a sum of such rows by itself takes.
     */
    @Test
    void gradientsOfBiasesAreSumsOverRows() throws IOException {
        long gates = 1024 * 768 * 4;
        long state = 1024 * 256 * 4;
        long bias = 768 * 4;
        List<Long> sum = sizes(GATES + BIAS + "[\"O\",1,\"aten.sum.dim_IntList\"]\n[\"b\",1," + gates + "]\n"
                + "[\"o\",1,0,0,0,[{\"t\":[1,1]},[0]],{},{\"t\":[2,3]},[[2," + bias + "]],\"\"]\n");
        assertEquals(4, sum.size(), "the gates, the sum, partial sums and semaphores: " + sum);
        List<Long> gru = sizes(GATES + STATE + BIAS
                + "[\"O\",1,\"aten._thnn_fused_gru_cell_backward.default\"]\n[\"b\",1," + state + "]\n"
                + "[\"o\",1,0,0,1,[{\"t\":[1,2]}],{},[{\"t\":[2,1]},{\"t\":[3,1]},{\"t\":[4,2]},{\"t\":[5,3]},{\"t\":[6,3]}],"
                + "[[2," + gates + "],[3," + gates + "],[4," + state + "],[5," + bias + "],[6," + bias + "]],\"\"]\n");
        assertEquals(List.of(state, gates, gates, state, bias, sum.get(2), sum.get(3), bias, sum.get(2), sum.get(3)),
                gru);
    }

    /**
     * Distances of 2,000 points of 64 coordinates to 2,500 others: the gradient of the points is 2,000 x 64 x 4 bytes, each distance's
     * part of it 2,000 x 2,500 x 64 x 4, and the sum over the others takes 4 bytes for each of 384 partial sums of 128,000 results, and
     * a semaphore of 4 for each of 1,000 groups of 128 results: what an H100 took (its multiprocessors are as many as an H200's).
     */
    @Test
    void distancesPartsAreSummedOverTheOtherPoints() throws IOException {
        String distances = "[\"T\",1,\"float32\",[2000,2500],[2500,1],0,0]\n";
        String points = "[\"T\",2,\"float32\",[2000,64],[64,1],0,0]\n[\"T\",3,\"float32\",[2500,64],[64,1],0,0]\n";
        List<Long> taken = sizes(distances + points
                + "[\"O\",1,\"aten._cdist_backward.default\"]\n[\"b\",1,20000000]\n[\"b\",2,512000]\n[\"b\",3,640000]\n"
                + "[\"o\",1,0,0,1,[{\"t\":[1,1]},{\"t\":[2,2]},{\"t\":[3,3]},1.0,{\"t\":[1,1]}],{},{\"t\":[4,2]},[[4,512000]],\"\"]\n");
        assertEquals(List.of(512_000L, 2000L * 2500 * 64 * 4, 384L * 128_000 * 4, 4000L),
                taken.subList(3, taken.size()));
    }

    /** Ten numbers of 4 bytes three times; one row is summed up as a whole, by CUB: a pass over ten items. */
    @Test
    void oneRowIsSummedAsAVectorIs() throws IOException {
        assertEquals(List.of(40L, 65_536L, 40L, 40L, 40L, 1023L),
                drawn("[1,10],[10,1]", 40, "[1,8192],[8192,1]", 65_536));
        assertEquals(List.of(80L, 65_536L, 80L, 80L, 80L), drawn("[2,10],[10,1]", 80, "[2,4096],[4096,1]", 65_536));
    }

    private static List<Long> drawn(String form, long read, String out, long made) throws IOException {
        return sizes("[\"T\",1,\"float32\"," + form + ",0,0]\n[\"T\",2,\"int64\"," + out + ",0,0]\n"
                + "[\"O\",1,\"aten.multinomial.default\"]\n[\"b\",1," + read + "]\n"
                + "[\"o\",1,0,0,0,[{\"t\":[1,1]},4096,true],{},{\"t\":[2,2]},[[2," + made + "]],\"\"]\n");
    }

    /** A product of 8 x 8 numbers, and cuBLAS's 32 MiB, which go with the clearing and come again with the next. */
    @Test
    void workspacesThatWereClearedAreTakenAnew() throws IOException {
        String product = "[\"o\",1,0,0,0,[{\"t\":[1,1]},{\"t\":[1,1]}],{},{\"t\":[%1$d,1]},[[%1$d,256]],\"\"]\n";
        String form = "[\"T\",1,\"float32\",[8,8],[8,1],0,0]\n[\"O\",1,\"aten.mm.default\"]\n[\"b\",1,256]\n";
        ProgramTrace cleared = Recordings.of(form + product.formatted(2) + product.formatted(3)
                + "[\"m\",\"clear_cublas\",0]\n" + product.formatted(4));
        Plan plan = Plan.of(cleared, DeviceProfile.find("H200").orElseThrow(), "");
        assertEquals(List.of(256L, 256L, 32L << 20, 256L, 256L, 32L << 20), plan.sizes());
        assertEquals((32 << 20) + 4 * 512, plan.allocated());
    }
}
