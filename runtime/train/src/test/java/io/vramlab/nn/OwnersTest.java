package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.tensor.Owner;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What leads to modules, parameters and optimizers is an {@link Owner}, or forgets them before its method returns. */
class OwnersTest {

    private static final Set<String> FORGETFUL = Set.of(
            // variables of a call, in which the module is at work
            "io.vramlab.nn.HeadedAttention", "io.vramlab.nn.Held", "io.vramlab.nn.StateDict",
            // a view, given to somebody who holds the state himself if he counts
            "io.vramlab.optim.ParamStateDict",
            // of one step of an optimizer
            "io.vramlab.optim.LaunchGroup",
            // a step of the graph: a module with such hooks is left to the collector
            "io.vramlab.nn.GradientHooks");

    @Test
    void everyClassWithAFieldOfAnOwnerIsOne() throws Exception {
        List<String> others = new ArrayList<>();
        int owners = 0;
        for (Class<?> each : classes()) {
            if (Owner.class.isAssignableFrom(each)) {
                owners++;
            } else if (hasSuchField(each) && !FORGETFUL.contains(each.getName())) {
                others.add(each.getName());
            }
        }
        assertEquals(List.of(), others);
        assertTrue(owners > 100, "owners " + owners);
    }

    private static List<Class<?>> classes() throws Exception {
        Path root = Path.of(Module.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Class<?>> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
                String name = root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), ".");
                if (!name.endsWith("-info.class")) {
                    all.add(Class.forName(name.substring(0, name.length() - ".class".length()), false,
                            Module.class.getClassLoader()));
                }
            }
        }
        return all;
    }

    private static boolean hasSuchField(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).map(Field::getGenericType).anyMatch(OwnersTest::leads)
                || Arrays.stream(type.getDeclaredFields()).anyMatch(each -> Modifier.isStatic(each.getModifiers())
                        && Owner.class.isAssignableFrom(each.getType()));
    }

    private static boolean leads(Type type) {
        return switch (type) {
            case Class<?> one when one.isArray() -> leads(one.getComponentType());
            case Class<?> one -> Owner.class.isAssignableFrom(one) || one == Parameter.class || one == Buffer.class;
            case ParameterizedType many -> Arrays.stream(many.getActualTypeArguments()).anyMatch(OwnersTest::leads);
            default -> false;
        };
    }
}
