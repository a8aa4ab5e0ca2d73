package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Which operations launch kernels, and what these want of the driver. */
class LaunchesTest {

    private static final String IMAGES = "[\"T\",1,\"float32\",[2,3,8,8],[192,64,8,1],0,1]\n"
            + "[\"T\",2,\"float32\",[2,3,8,8],[192,64,8,1],0,0]\n[\"T\",3,\"float32\",[2,3,8,8],[192,1,24,3],0,0]\n"
            + "[\"T\",4,\"float16\",[2,3,8,8],[192,64,8,1],0,0]\n[\"T\",5,\"float64\",[2,3,8,8],[192,64,8,1],0,0]\n";

    @Test
    void bytesThatAreBroughtAsTheyLieAreTheCopyEngines() throws IOException {
        assertFalse(isLaunched("aten._to_copy.default", "{\"t\":[0,1]}", "{\"t\":[1,2]}", "[1,1536]"));
    }

    @Test
    void channelsAreLaidAsideByAKernel() throws IOException {
        assertTrue(isLaunched("aten._to_copy.default", "{\"t\":[0,1]}", "{\"t\":[1,3]}", "[1,1536]"));
    }

    @Test
    void withinTheDeviceAnotherTypeIsAKernelsWorkAndACopyIsNot() throws IOException {
        assertTrue(isLaunched("aten._to_copy.default", "{\"t\":[1,2]}", "{\"t\":[2,4]}", "[2,768]"));
        assertFalse(isLaunched("aten.clone.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}", "[2,1536]"));
    }

    @Test
    void viewsAndMemoryThatNobodyWritesLaunchNothing() throws IOException {
        assertFalse(isLaunched("aten.view.default", "{\"t\":[1,2]},[2,192]", "{\"t\":[1,2]}", ""));
        assertFalse(isLaunched("aten.empty_like.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}", "[2,1536]"));
        assertTrue(isLaunched("aten.relu.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}", "[2,1536]"));
        assertTrue(isLaunched("aten.relu_.default", "{\"t\":[1,2]}", "{\"t\":[1,2]}", ""));
        assertFalse(isLaunched("aten.relu.default", "{\"t\":[0,1]}", "{\"t\":[0,1]}", ""));
    }

    /** An H100's driver asked for more local memory at a filling, at an index, at a sum; not at drawn numbers, nor at cuBLAS's and cuDNN's. */
    @Test
    void mostOfPyTorchsKernelsWantMoreStackThanTheContextHas() throws IOException {
        assertTrue(wantsStack("aten.relu.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}"));
        assertFalse(wantsStack("aten.randn_like.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}"));
        assertFalse(wantsStack("aten.mm.default", "{\"t\":[1,2]},{\"t\":[1,2]}", "{\"t\":[2,2]}"));
        assertFalse(wantsStack("aten.convolution.default", "{\"t\":[1,2]},{\"t\":[1,2]},null", "{\"t\":[2,2]}"));
        assertTrue(wantsStack("aten.convolution.default", "{\"t\":[1,2]},{\"t\":[1,2]},{\"t\":[1,2]}",
                "{\"t\":[2,2]}"), "its bias is added by PyTorch");
    }

    /** 8.3 MiB came with a sum, an index, an embedding, x.double() and bytes that became numbers; not with forty other functions. */
    @Test
    void whatReducesIndexesOrConvertsChecksOnTheDevice() throws IOException {
        assertTrue(checks("aten.sum.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}"));
        assertTrue(checks("aten._to_copy.default", "{\"t\":[1,2]}", "{\"t\":[2,5]}"), "float32 to float64");
        assertFalse(checks("aten._to_copy.default", "{\"t\":[1,2]}", "{\"t\":[2,4]}"), "to float16 has a kernel");
        assertTrue(checks("aten.add.Tensor", "{\"t\":[1,2]},{\"t\":[1,5]}", "{\"t\":[2,5]}"));
        assertFalse(checks("aten.add.Tensor", "{\"t\":[1,2]},{\"t\":[1,2]}", "{\"t\":[2,2]}"));
        assertFalse(checks("aten.exp.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}"));
    }

    private static boolean wantsStack(String name, String arguments, String result) throws IOException {
        return any(name, arguments, result, "[2,1536]", Launches::wantsStack);
    }

    private static boolean checks(String name, String arguments, String result) throws IOException {
        return any(name, arguments, result, "[2,1536]", Launches::checks);
    }

    private static boolean isLaunched(String name, String arguments, String result, String made) throws IOException {
        return any(name, arguments, result, made, Launches::isLaunched);
    }

    private static boolean any(String name, String arguments, String result, String made, Predicate<Operation> is)
            throws IOException {
        ProgramTrace trace = Recordings
                .of("[\"O\",1,\"" + name + "\"]\n" + IMAGES + "[\"o\",1,0,0,0,[" + arguments + "],{},"
                        + result + ",[" + made + "],\"\"]\n");
        return trace.events().stream().anyMatch(e -> e instanceof Operation o && is.test(o));
    }
}
