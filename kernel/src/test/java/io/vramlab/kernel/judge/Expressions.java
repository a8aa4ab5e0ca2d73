package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** Makes expressions of a wanted type. */
final class Expressions {

    private static final List<String> SIMPLE = List.of("int", "long", "double", "boolean", "String", "char");

    private final Dice dice;
    private int number;

    Expressions(Dice dice) {
        this.dice = dice;
    }

    /** A name that nothing else in the sequence has. */
    String fresh() {
        return "n" + ++number;
    }

    /** A type that {@link #of} knows. */
    String type(Scope scope) {
        if (!scope.families.isEmpty() && dice.chance(35)) {
            return dice.of(scope.families).base();
        }
        return dice.of(SIMPLE);
    }

    String of(String type, Scope scope, int depth) {
        List<Scope.Name> names = scope.of(type);
        if (!names.isEmpty() && dice.chance(depth <= 0 ? 70 : 30)) {
            return dice.of(names).name();
        }
        List<Scope.Function> functions = scope.returning(type);
        if (depth > 0 && !functions.isEmpty() && dice.chance(25)) {
            return call(dice.of(functions), scope, depth - 1);
        }
        if (depth > 0 && dice.chance(18)) {
            return choice(type, scope, depth - 1);
        }
        return switch (type) {
            case "int" -> ints(scope, depth);
            case "long" -> longs(scope, depth);
            case "double" -> doubles(scope, depth);
            case "boolean" -> booleans(scope, depth);
            case "String" -> strings(scope, depth);
            case "char" -> chars(scope, depth);
            default -> objects(type, scope, depth);
        };
    }

    String call(Scope.Function function, Scope scope, int depth) {
        List<String> arguments = new ArrayList<>();
        function.parameters().forEach(each -> arguments.add(of(each, scope, depth)));
        return function.name() + "(" + String.join(", ", arguments) + ")";
    }

    /** Ternaries and switches, where several types meet. */
    private String choice(String type, Scope scope, int depth) {
        return switch (dice.upTo(5)) {
            case 0, 1 -> "(%s ? %s : %s)".formatted(of("boolean", scope, depth), of(type, scope, depth),
                    of(type, scope, depth));
            case 2 -> "(switch (%s %% 3) { case 0 -> %s; case 1, 2 -> { yield %s; } default -> %s; })".formatted(
                    paren("int", scope, depth), of(type, scope, depth), yielded(type, scope, depth),
                    of(type, scope, depth));
            case 3 -> "(switch (%s) { case \"a\": yield %s; case \"b\": case \"c\": default: yield %s; })".formatted(
                    paren("String", scope, depth), yielded(type, scope, depth), yielded(type, scope, depth));
            default -> {
                String number = fresh();
                yield "(switch ((Object) (%s)) { case Integer %s when %s > %d -> %s; case String %s -> %s; default -> %s; })"
                        .formatted(of(dice.of(SIMPLE), scope, depth), number, number, dice.upTo(9),
                                of(type, scope, depth), fresh(), of(type, scope, depth), of(type, scope, depth));
            }
        };
    }

    /** What may stand behind yield: javac takes "yield (switch" and "yield (a).b()" for the call of a method. */
    private String yielded(String type, Scope scope, int depth) {
        String text = of(type, scope, depth);
        if (text.startsWith("(switch ")) {
            return text.substring(1, text.length() - 1);
        }
        return text.startsWith("(") && text.contains(".") ? "(" + text + ")" : text;
    }

    private String paren(String type, Scope scope, int depth) {
        return "(" + of(type, scope, depth) + ")";
    }

    private String ints(Scope scope, int depth) {
        if (depth <= 0) {
            return Integer.toString(dice.upTo(40) - 8);
        }
        int d = depth - 1;
        return switch (dice.upTo(14)) {
            case 0, 1, 2 -> "(%s %s %s)".formatted(of("int", scope, d), dice.pick("+", "-", "*", "&", "|", "^"),
                    of("int", scope, d));
            case 3 -> "(%s / (%s * 2 + 1))".formatted(of("int", scope, d), of("int", scope, 0));
            case 4 -> "(%s %s %s)".formatted(of("int", scope, d), dice.pick(">>", ">>>", "<<"), dice.upTo(5));
            case 5 -> paren("String", scope, d) + ".length()";
            case 6 -> "(int) " + paren(dice.pick("long", "double", "char"), scope, d);
            case 7 -> "Math.%s(%s, 3)".formatted(dice.pick("max", "min", "floorMod", "addExact"), of("int", scope, d));
            case 8 -> applied(scope, d);
            case 9 -> "new int[] {%s, %s, %s}[Math.floorMod(%s, 3)]".formatted(of("int", scope, d),
                    of("int", scope, d), of("int", scope, d), of("int", scope, d));
            case 10 -> mapped(scope, d);
            case 11 -> "(~%s)".formatted(paren("int", scope, d));
            default -> scope.families.isEmpty()
                    ? "Integer.parseInt(\"" + dice.upTo(90) + "\")"
                    : "%s.size(%s)".formatted(receiver(dice.of(scope.families).base(), scope, d), of("int", scope, d));
        };
    }

    private String applied(Scope scope, int depth) {
        String given = fresh();
        return "((java.util.function.IntUnaryOperator) (%s -> %s %s %s)).applyAsInt(%s)".formatted(given, given,
                dice.pick("+", "*", "-"), of("int", scope.captured(), depth), of("int", scope, depth));
    }

    private String mapped(Scope scope, int depth) {
        String each = fresh();
        return "IntStream.rangeClosed(1, %d).map(%s -> %s * %s).sum()".formatted(2 + dice.upTo(6), each, each,
                of("int", scope.captured(), depth));
    }

    private String receiver(String type, Scope scope, int depth) {
        return "(" + of(type, scope, depth) + ")";
    }

    private String longs(Scope scope, int depth) {
        if (depth <= 0) {
            return dice.upTo(5000) * 1_000_003L + "L";
        }
        int d = depth - 1;
        return switch (dice.upTo(5)) {
            case 0, 1 -> "(%s %s %s)".formatted(of("long", scope, d), dice.pick("+", "-", "*", "^"),
                    of(dice.pick("long", "int"), scope, d));
            case 2 -> "(long) " + paren(dice.pick("int", "double"), scope, d);
            case 3 -> "Long.rotateLeft(%s, %d)".formatted(of("long", scope, d), dice.upTo(60));
            default -> "LongStream.of(%s, %s).max().getAsLong()".formatted(of("long", scope, d),
                    of("long", scope, d));
        };
    }

    private String doubles(Scope scope, int depth) {
        if (depth <= 0) {
            return dice.upTo(400) / 8.0 + "";
        }
        int d = depth - 1;
        return switch (dice.upTo(4)) {
            case 0, 1 -> "(%s %s %s)".formatted(of("double", scope, d), dice.pick("+", "-", "*", "/"),
                    of(dice.pick("double", "int", "long"), scope, d));
            case 2 -> "Math.sqrt(Math.abs(%s))".formatted(of("double", scope, d));
            default -> "(%s ? %s : %s)".formatted(of("boolean", scope, d), of("int", scope, d),
                    of("double", scope, d));
        };
    }

    private String booleans(Scope scope, int depth) {
        if (depth <= 0) {
            return dice.pick("true", "false");
        }
        int d = depth - 1;
        return switch (dice.upTo(7)) {
            case 0, 1, 2 -> "(%s %s %s)".formatted(of("int", scope, d), dice.pick("<", ">", "<=", "!=", "=="),
                    of(dice.pick("int", "long", "char"), scope, d));
            case 3 -> "(%s %s %s)".formatted(of("boolean", scope, d), dice.pick("&&", "||", "^"),
                    of("boolean", scope, d));
            case 4 -> "!" + paren("boolean", scope, d);
            case 5 -> "%s.equals(%s)".formatted(paren("String", scope, d), of("String", scope, d));
            default -> scope.families.isEmpty()
                    ? "Character.isLetter(%s)".formatted(of("char", scope, d))
                    : instance(dice.of(scope.families), scope, d);
        };
    }

    private String instance(Scope.Family family, Scope scope, int depth) {
        String made = dice.of(family.makers());
        String type = made.substring("new ".length(), made.indexOf('('));
        String found = fresh();
        return "((%s) %s instanceof %s %s && %s.size(%d) > %d)".formatted(family.base(),
                receiver(family.base(), scope, depth), type, found, found, dice.upTo(5), dice.upTo(20));
    }

    private String strings(Scope scope, int depth) {
        if (depth <= 0) {
            return "\"" + dice.pick("a", "b", "c", "Ω", "x y", "long text", "") + "\"";
        }
        int d = depth - 1;
        return switch (dice.upTo(7)) {
            case 0, 1, 2 -> "(%s + %s)".formatted(of("String", scope, d), of(dice.of(SIMPLE), scope, d));
            case 3 -> "String.valueOf(%s)".formatted(of(dice.of(SIMPLE), scope, d));
            case 4 -> "%s.%s".formatted(paren("String", scope, d), dice.pick("toUpperCase()", "repeat(2)", "strip()",
                    "concat(\"!\")", "replace('a', 'o')"));
            case 5 -> "Stream.of(%s, %s).sorted().collect(Collectors.joining(\"|\"))".formatted(
                    of("String", scope, d), of("String", scope, d));
            default -> scope.families.isEmpty()
                    ? "\"\"\"\n  block %d\n  \\t.\"\"\"".formatted(dice.upTo(9))
                    : "%s.getClass().getSimpleName()".formatted(receiver(dice.of(scope.families).base(), scope, d));
        };
    }

    private String chars(Scope scope, int depth) {
        if (depth <= 0) {
            return "'" + dice.pick("a", "z", "Q", "7", "\\n", "\\u00e9") + "'";
        }
        return switch (dice.upTo(3)) {
            case 0 -> "(char) ('a' + Math.floorMod(%s, 26))".formatted(of("int", scope, depth - 1));
            case 1 -> "(%s + \"q\").charAt(0)".formatted(of("String", scope, depth - 1));
            default -> "Character.toUpperCase(%s)".formatted(of("char", scope, depth - 1));
        };
    }

    private String objects(String type, Scope scope, int depth) {
        for (Scope.Family family : scope.families) {
            if (family.base().equals(type)) {
                return dice.of(family.makers()).formatted(of("int", scope, Math.min(depth - 1, 1)));
            }
        }
        // of a type that nobody taught this class: one that is there
        return dice.of(scope.of(type)).name();
    }
}
