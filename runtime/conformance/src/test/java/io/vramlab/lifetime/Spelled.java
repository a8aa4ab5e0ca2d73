package io.vramlab.lifetime;

import io.vramlab.tensor.Tensor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Expressions of tensors a, b, c and d, compiled and woven as a cell's are. */
public final class Spelled {

    private static final int A_CLASS = 100;
    private static final String HEAD = """
            package woven;
            import java.util.List;
            import io.vramlab.device.*;
            import io.vramlab.distributions.*;
            import io.vramlab.nn.*;
            import io.vramlab.tensor.*;
            import io.vramlab.tensor.internal.core.*;
            import io.vramlab.tensor.type.Slice;
            import io.vramlab.tensor.type.Reduction;
            public class %s {
            """;

    private final Map<Integer, Method> methods = new HashMap<>();

    private Spelled() {
    }

    /** One method for each expression; statements end with a return. */
    public static Spelled of(List<String> expressions) throws Exception {
        Map<String, String> sources = new HashMap<>();
        for (int from = 0; from < expressions.size(); from += A_CLASS) {
            StringBuilder source = new StringBuilder(HEAD.formatted("Part" + from / A_CLASS));
            for (int i = from; i < Math.min(expressions.size(), from + A_CLASS); i++) {
                String e = expressions.get(i);
                source.append("public static Object f").append(i)
                        .append("(Tensor a, Tensor b, Tensor c, Tensor d) {\n")
                        .append(e.contains("; return ")
                                ? e.replace("Tensor c = ", "c = ") + ";"
                                : "return " + e + ";")
                        .append("\n}\n");
            }
            sources.put("woven/Part" + from / A_CLASS, source.append("}\n").toString());
        }
        Woven.Classes classes = new Woven.Classes(Woven.compiled(sources));
        Spelled spelled = new Spelled();
        for (int i = 0; i < expressions.size(); i++) {
            Class<?> part = classes.loadClass("woven.Part" + i / A_CLASS);
            spelled.methods.put(i, part.getMethod("f" + i, Tensor.class, Tensor.class, Tensor.class, Tensor.class));
        }
        return spelled;
    }

    /** The tensors that an expression gives; none where it gives something else. */
    public Tensor[] run(int number, Tensor... inputs) {
        Object out;
        try {
            out = methods.get(number).invoke(null, (Object[]) inputs);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException r ? r : new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return switch (out) {
            case Tensor t -> new Tensor[]{t};
            case Tensor[] several -> Arrays.copyOf(several, several.length);
            default -> new Tensor[0];
        };
    }
}
