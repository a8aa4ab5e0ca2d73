package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** Makes statements: every kind, nested in one another. All of them end. */
final class Statements {

    /**
     * What a statement may jump to.
     *
     * @param returned
     *            the type that {@code return} needs, null where there must be none
     * @param labels
     *            the loops around it, the innermost last
     */
    private record Around(String returned, List<String> labels) {

        Around within(String label) {
            List<String> more = new ArrayList<>(labels);
            more.add(label);
            return new Around(returned, more);
        }
    }

    private final Dice dice;
    private final Expressions expressions;

    Statements(Dice dice, Expressions expressions) {
        this.dice = dice;
        this.expressions = expressions;
    }

    /** The statements of a method's body, the last of which returns. */
    String body(String returned, Scope scope, int depth) {
        Scope inner = scope.inner();
        String statements = list(inner, depth, 2 + dice.upTo(3), new Around(returned, List.of()));
        return statements + "return " + expressions.of(returned, inner, size()) + ";\n";
    }

    /** A statement that may stand in a cell. */
    String atTop(Scope scope, int depth) {
        Around nothing = new Around(null, List.of());
        String text = compound(scope.inner(), depth, nothing).strip();
        // what declares something would declare it for the session
        return text.matches("(?s)(if|for|switch|try|System|l\\w+:|\\{).*")
                ? text
                : "{\n" + text + "\n" + list(scope.inner(), depth, 2, nothing) + "}";
    }

    private int size() {
        return dice.chance(30) ? 2 : 1;
    }

    private String block(Scope scope, int depth, Around around) {
        return "{\n" + list(scope.inner(), depth - 1, 1 + dice.upTo(3), around) + "}";
    }

    private String list(Scope scope, int depth, int count, Around around) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(one(scope, depth, around));
        }
        return text.toString();
    }

    private String one(Scope scope, int depth, Around around) {
        int kind = dice.upTo(10);
        if (kind < 3) {
            return declaration(scope);
        }
        if (kind < 5) {
            return assignment(scope);
        }
        if (kind < 6 || depth <= 0) {
            return print(scope);
        }
        return compound(scope, depth, around);
    }

    private String declaration(Scope scope) {
        String type = expressions.type(scope);
        String name = expressions.fresh();
        boolean constant = dice.chance(40);
        String init = expressions.of(type, scope, size());
        String written = dice.chance(25) && SIMPLE.contains(type) ? "var" : type;
        if (written.equals("var") && !type.equals("String")) {
            // an int constant is no char, long or double
            init = "(" + type + ") (" + init + ")";
        }
        scope.local(type, name, constant);
        return (constant ? "final " : "") + written + " " + name + " = " + init + ";\n";
    }

    private static final List<String> SIMPLE = List.of("int", "long", "double", "boolean", "String", "char");

    private String assignment(Scope scope) {
        List<Scope.Name> names = scope.assignable();
        if (names.isEmpty()) {
            return print(scope);
        }
        Scope.Name name = dice.of(names);
        if (name.type().equals("int") && dice.chance(40)) {
            return name.name() + dice.pick("++;\n", " += 3;\n", " ^= 5;\n", "--;\n");
        }
        if (name.type().equals("String")) {
            // text that is appended to itself in loops would fill the memory
            return "%s = cut(%s);\n".formatted(name.name(), expressions.of("String", scope, size()));
        }
        return name.name() + " = " + expressions.of(name.type(), scope, size()) + ";\n";
    }

    private String print(Scope scope) {
        String type = dice.pick("int", "long", "double", "boolean", "String", "char");
        return "System.out.println(\"%s \" + %s);\n".formatted(expressions.fresh(),
                expressions.of(type, scope, size()));
    }

    private String compound(Scope scope, int depth, Around around) {
        return switch (dice.upTo(15)) {
            case 0, 1 ->
                "if (%s) %s%s\n".formatted(expressions.of("boolean", scope, size()), block(scope, depth, around),
                        dice.chance(60) ? " else " + block(scope, depth, around) : "");
            case 2, 3 -> loop(scope, depth, around);
            case 4 -> counted(scope, depth, around);
            case 5 -> forEach(scope, depth, around);
            case 6 -> oldSwitch(scope, depth, around);
            case 7 -> arrowSwitch(scope, depth, around);
            case 8 -> patternSwitch(scope, depth, around);
            case 9, 10 -> tryCatch(scope, depth, around);
            case 11 -> resources(scope, depth, around);
            case 12 -> local(scope, depth);
            case 13 -> lambda(scope, depth);
            default -> jump(scope, around);
        };
    }

    private String loop(Scope scope, int depth, Around around) {
        String i = expressions.fresh();
        String label = "l" + expressions.fresh();
        Scope inner = scope.inner();
        inner.names.add(new Scope.Name("int", i, false, false));
        return "%s: for (int %s = 0; %s < %d; %s++) %s\n".formatted(label, i, i, 1 + dice.upTo(3), i,
                block(inner, depth, around.within(label)));
    }

    private String counted(Scope scope, int depth, Around around) {
        String i = expressions.fresh();
        String label = "l" + expressions.fresh();
        Scope inner = scope.inner();
        inner.names.add(new Scope.Name("int", i, false, false));
        String body = "{\n%s++;\n%s}".formatted(i, list(inner.inner(), depth - 1, 2, around.within(label)));
        String bound = "%s < %d".formatted(i, 1 + dice.upTo(3));
        return dice.chance(50)
                ? "{ int %s = 0; %s: while (%s) %s }\n".formatted(i, label, bound, body)
                : "{ int %s = 0; %s: do %s while (%s); }\n".formatted(i, label, body, bound);
    }

    private String forEach(Scope scope, int depth, Around around) {
        String each = expressions.fresh();
        String label = "l" + expressions.fresh();
        String type = scope.families.isEmpty() ? "int" : dice.of(scope.families).base();
        Scope inner = scope.inner();
        inner.local(type, each, true);
        List<String> values = new ArrayList<>();
        for (int i = 0; i <= dice.upTo(3); i++) {
            values.add(expressions.of(type, scope, 1));
        }
        String all = dice.chance(50) && !type.equals("int")
                ? "List.<" + type + ">of(" + String.join(", ", values) + ")"
                : "new " + type + "[] {" + String.join(", ", values) + "}";
        return "%s: for (%s %s : %s) %s\n".formatted(label, type, each, all, block(inner, depth, around.within(label)));
    }

    private String oldSwitch(Scope scope, int depth, Around around) {
        // a break here ends the switch: the labels name the loops, so they can be left all the same
        return "switch (%s %% 4) {\ncase 0:\n{ %s }\nbreak;\ncase 1:\n{ %s }\ncase 2: { %s }\nbreak;\ndefault:\n{ %s }\n}\n"
                .formatted("(" + expressions.of("int", scope, size()) + ")", quiet(scope, depth), quiet(scope, depth),
                        quiet(scope, depth), list(scope.inner(), depth - 1, 1, around));
    }

    /** Statements that do not jump, so that what follows can be reached. */
    private String quiet(Scope scope, int depth) {
        return list(scope.inner(), depth - 2, 1 + dice.upTo(2), new Around(null, List.of()));
    }

    private String arrowSwitch(Scope scope, int depth, Around around) {
        return "switch (%s) {\ncase \"a\", \"b\" -> %s\ncase \"\" -> System.out.println(\"empty\");\ndefault -> %s\n}\n"
                .formatted(
                        expressions.of("String", scope, size()), block(scope, depth, around),
                        block(scope, depth, around));
    }

    private String patternSwitch(Scope scope, int depth, Around around) {
        String type = expressions.type(scope);
        StringBuilder cases = new StringBuilder();
        for (Scope.Family family : scope.families) {
            String name = expressions.fresh();
            Scope inner = scope.inner();
            inner.local(family.base(), name, true);
            cases.append("case %s %s when %s.size(%d) > %d -> %s\n".formatted(family.base(), name, name, dice.upTo(4),
                    dice.upTo(9), block(inner, depth, around)));
        }
        String text = expressions.fresh();
        Scope inner = scope.inner();
        inner.local("String", text, true);
        return "switch ((Object) (%s)) {\n%scase String %s -> %s\ncase null -> { }\ndefault -> %s\n}\n".formatted(
                expressions.of(type, scope, size()), cases, text, block(inner, depth, around),
                block(scope, depth, around));
    }

    private String tryCatch(Scope scope, int depth, Around around) {
        String caught = expressions.fresh();
        String thrown = dice.pick("IllegalStateException(\"a\")", "IllegalArgumentException(\"b\")",
                "UnsupportedOperationException()", "Error(\"e\")", "ArithmeticException(\"c\")");
        String body = "{\n%sif (%s) throw new %s;\n%s}".formatted(list(scope.inner(), depth - 1, 1, around),
                expressions.of("boolean", scope, size()), thrown, quiet(scope, depth));
        String handler = "{\nSystem.out.println(%s.getMessage());\n%s}".formatted(caught,
                list(scope.inner(), depth - 1, 1 + dice.upTo(2), around));
        String types = dice.pick("RuntimeException", "IllegalStateException | ArithmeticException", "Throwable",
                "IllegalArgumentException");
        return switch (dice.upTo(3)) {
            case 0 -> "try %s catch (%s %s) %s\n".formatted(body, types, caught, handler);
            case 1 -> "try %s catch (%s %s) %s finally { %s }\n".formatted(body, types, caught, handler,
                    quiet(scope, depth));
            default -> "try { try %s finally { %s } } catch (%s %s) %s\n".formatted(body, quiet(scope, depth), types,
                    caught, handler);
        };
    }

    private String resources(Scope scope, int depth, Around around) {
        if (scope.resources.isEmpty()) {
            return tryCatch(scope, depth, around);
        }
        String type = dice.of(scope.resources);
        String one = expressions.fresh();
        String two = expressions.fresh();
        String caught = expressions.fresh();
        String second = dice.chance(50)
                ? "; var %s = new %s(%s)".formatted(two, type, expressions.of("String", scope, 1))
                : "";
        return "try (%s %s = new %s(%s)%s) {\n%s.use(%s);\n%s} catch (IllegalStateException %s) { System.out.println(%s.getMessage() + %s.getSuppressed().length);\n%s }%s\n"
                .formatted(type, one, type, expressions.of("String", scope, 1), second, one,
                        expressions.of("int", scope, size()), list(scope.inner(), depth - 1, 1, around), caught, caught,
                        caught, quiet(scope, depth), dice.chance(40) ? " finally { " + quiet(scope, depth) + " }" : "");
    }

    private String local(Scope scope, int depth) {
        String type = "L" + expressions.fresh();
        String variable = expressions.fresh();
        String field = expressions.fresh();
        Scope inside = scope.ofClass();
        inside.names.add(new Scope.Name("int", field, true, false));
        String text = switch (dice.upTo(4)) {
            case 0 -> "class %s { int %s = %s; int get() { %s } }\n".formatted(type, field,
                    expressions.of("int", scope.ofClass(), 1),
                    body("int", inside, Math.min(depth - 1, 1)));
            case 1 -> "record %s(int %s) { int get() { return %s * 2; } }\n".formatted(type, field, field);
            case 2 ->
                "enum %s { A, B { int get() { return 7; } }; int get() { return ordinal() + 1; } }\n".formatted(type);
            default -> "interface %s { int get(); default int twice() { return get() * 2; } }\n".formatted(type);
        };
        String made = text.startsWith("class")
                ? "new " + type + "()"
                : text.startsWith("record")
                        ? "new " + type + "(" + expressions.of("int", scope, 1) + ")"
                        : text.startsWith("enum")
                                ? type + "." + dice.pick("A", "B")
                                : "new %s() { public int get() { return %s; } }".formatted(type,
                                        expressions.of("int", scope.ofClass(), 1));
        return text + "%s %s = %s;\nSystem.out.println(%s.get());\n".formatted(type, variable, made, variable);
    }

    private String lambda(Scope scope, int depth) {
        String name = expressions.fresh();
        String a = expressions.fresh();
        Scope inside = scope.captured();
        inside.local("int", a, true);
        return "java.util.function.IntUnaryOperator %s = %s -> {\n%s};\nSystem.out.println(%s.applyAsInt(%s));\n"
                .formatted(name, a,
                        body("int", inside, Math.min(depth - 1, 1)), name, expressions.of("int", scope, 1));
    }

    private String jump(Scope scope, Around around) {
        String condition = expressions.of("boolean", scope, size());
        if (!around.labels().isEmpty() && dice.chance(70)) {
            return "if (%s) %s %s;\n".formatted(condition, dice.pick("break", "continue"), dice.of(around.labels()));
        }
        if (around.returned() != null) {
            return "if (%s) return %s;\n".formatted(condition, expressions.of(around.returned(), scope, 1));
        }
        return print(scope);
    }
}
