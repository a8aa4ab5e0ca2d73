package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.ElementOp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a GPU would otherwise have to tell: kernels get an operation's number in the enum, and answer NaN to unknown ones. */
class ElementOpsSourceTest {

    @Test
    void theKernelsHaveEveryOperationAndNumberItAsTheEnumDoes() throws IOException {
        String source = Files.readString(Path.of("src/main/cuda/elementops.cuh"));
        List<String> listed = Pattern.compile("\\bX\\((\\w+)\\)").matcher(source).results()
                .map(found -> found.group(1)).toList();
        assertEquals(Arrays.stream(ElementOp.values()).map(Enum::name).toList(), listed);
        for (ElementOp op : ElementOp.values()) {
            assertTrue(source.contains("case OP_" + op + ":"), op + " has no case");
        }
    }
}
