package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** A session that is being written: what was declared so far, and the snippets. */
final class Draft {

    final Dice dice;
    final Expressions expressions;
    final Statements statements;
    final Scope scope = new Scope();
    final List<Part> parts = new ArrayList<>();
    private int number;

    Draft(long seed) {
        dice = new Dice(seed);
        expressions = new Expressions(dice);
        statements = new Statements(dice, expressions);
        // what is appended to itself in loops stays short; what calls itself, or a lot, ends
        add(new Part.Method("String cut(String text) { return text.length() > 60 ? text.substring(0, 60) : text; }"));
        add(new Part.Variable("int", "fuel", "3000", false));
    }

    /** A name with this beginning that nothing else in the session has. */
    String name(String beginning) {
        return beginning + ++number;
    }

    void add(Part part) {
        parts.add(part);
    }

    void type(String text, Object... holes) {
        add(new Part.Type(text.strip().formatted(holes)));
    }

    void method(String text, Object... holes) {
        add(new Part.Method(text.strip().formatted(holes)));
    }

    void action(String text, Object... holes) {
        add(new Part.Action(text.strip().formatted(holes)));
    }

    void value(String text, Object... holes) {
        add(new Part.Value(text.strip().formatted(holes)));
    }

    /** Declares a variable under a fresh name, which it returns. */
    String variable(String type, String init) {
        String name = name("v");
        add(new Part.Variable(type, name, init, false));
        scope.global(type, name);
        return name;
    }

    String expression(String type) {
        return expressions.of(type, scope, dice.chance(30) ? 3 : 2);
    }

    /** The snippets without the two that each session begins with, where nothing names them. */
    List<Part> needed() {
        List<Part> left = new ArrayList<>(parts);
        for (String name : List.of("fuel", "cut(")) {
            if (left.stream().filter(each -> each.text().contains(name)).count() == 1) {
                left.removeIf(each -> each.text().contains(name));
            }
        }
        return left;
    }

    int small() {
        return 1 + dice.upTo(9);
    }
}
