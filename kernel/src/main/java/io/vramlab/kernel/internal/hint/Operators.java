package io.vramlab.kernel.internal.hint;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What to write for an operator on objects: Java has those on numbers and truth values alone. */
final class Operators {

    /** Of an operator with two values, the methods that do the same, where a class has one of them. */
    private static final Map<String, List<String>> TWO = Map.ofEntries(Map.entry("+", List.of("add", "plus")),
            Map.entry("-", List.of("sub", "subtract", "minus")), Map.entry("*", List.of("mul", "multiply")),
            Map.entry("/", List.of("div", "divide")), Map.entry("%", List.of("remainder", "mod")),
            Map.entry("<", List.of("lt", "compareTo")), Map.entry("<=", List.of("le", "compareTo")),
            Map.entry(">", List.of("gt", "compareTo")), Map.entry(">=", List.of("ge", "compareTo")),
            Map.entry("&", List.of("logicalAnd", "and")), Map.entry("&&", List.of("logicalAnd")),
            Map.entry("|", List.of("logicalOr", "or")), Map.entry("||", List.of("logicalOr")),
            Map.entry("^", List.of("logicalXor", "xor")));
    private static final Map<String, List<String>> ONE = Map.of("-", List.of("neg", "negate"), "!",
            List.of("logicalNot", "not"), "~", List.of("logicalNot", "not"));
    /** Those whose values may change places. */
    private static final Set<String> EITHER_WAY = Set.of("+", "*", "&", "|", "^");

    private Operators() {
    }

    /** The method in place of an operator, of the first value or, where it does not matter, of the second. */
    static Optional<String> hint(Complaint.Operation operation, Function<String, Optional<Class<?>>> find) {
        String operator = operation.operator();
        if (operation.first().isEmpty()) {
            return find.apply(operation.second()).flatMap(type -> method(type, ONE.get(operator))
                    .map(each -> told(type, each, "x.%s()".formatted(each))));
        }
        if (operator.equals("-") && find.apply(operation.first()).isEmpty()) {
            return find.apply(operation.second()).filter(type -> method(type, List.of("add")).isPresent())
                    .flatMap(type -> method(type, ONE.get("-"))
                            .map(each -> told(type, each, "y.%s().add(x) for x - y".formatted(each))));
        }
        return find.apply(operation.first()).flatMap(type -> method(type, TWO.get(operator))
                .map(each -> told(type, each, written(each, operator))))
                .or(() -> find.apply(operation.second()).filter(type -> EITHER_WAY.contains(operator))
                        .flatMap(type -> method(type, TWO.get(operator))
                                .map(each -> told(type, each, "y.%s(x) for x %s y".formatted(each, operator)))));
    }

    private static String written(String method, String operator) {
        return method.equals("compareTo")
                ? "x.compareTo(y) %s 0".formatted(operator)
                : "x.%s(y)".formatted(method);
    }

    private static String told(Class<?> type, String method, String written) {
        return "Java's operators are for numbers; %s has %s(): write %s".formatted(type.getSimpleName(), method,
                written);
    }

    private static Optional<String> method(Class<?> type, List<String> wanted) {
        Set<String> there = Stream.of(type.getMethods()).map(Method::getName).collect(Collectors.toSet());
        return Optional.ofNullable(wanted).flatMap(all -> all.stream().filter(there::contains).findFirst());
    }
}
