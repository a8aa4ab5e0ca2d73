package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page docs/from-pytorch.md: every block of Java compiles, runs, and its checks hold. */
class FromPyTorchTest {

    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final String HEAD = """
            package page;
            import io.vramlab.autograd.AutogradFunction;
            import io.vramlab.device.*;
            import io.vramlab.distributions.*;
            import io.vramlab.nn.*;
            import io.vramlab.nn.Module;
            import io.vramlab.optim.*;
            import io.vramlab.tensor.*;
            import java.util.ArrayList;
            import java.util.List;
            import java.util.Map;
            public class Block%d {
                static void check(boolean holds) {
                    if (!holds) {
                        throw new AssertionError("a check of the page does not hold");
                    }
                }
                public static void run() {
            """;

    @Test
    void everyBlockOfThePageRuns() throws Exception {
        List<String> sources = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(Files.readString(Path.of("../../docs/from-pytorch.md")));
        while (blocks.find()) {
            sources.add(HEAD.formatted(sources.size()) + blocks.group(1) + "\n}\n}\n");
        }
        assertTrue(sources.size() >= 6, "blocks: " + sources.size());
        try (Device device = Device.simulated("1GiB")) {
            Device.set(device);
            Map<String, String> named = new HashMap<>();
            for (int i = 0; i < sources.size(); i++) {
                named.put("page/Block" + i, sources.get(i));
            }
            Map<String, byte[]> classes = Woven.compiled(named);
            for (int i = 0; i < sources.size(); i++) {
                Class<?> block = new Plain(classes).loadClass("page.Block" + i);
                block.getMethod("run").invoke(null);
            }
        } finally {
            Device.set(Device.cpu());
        }
    }

    /** Defines classes as they are. */
    private static final class Plain extends ClassLoader {

        private final Map<String, byte[]> files;

        Plain(Map<String, byte[]> files) {
            super(FromPyTorchTest.class.getClassLoader());
            this.files = files;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] file = files.get(name);
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, file, 0, file.length);
        }
    }
}
