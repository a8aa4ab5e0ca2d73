package io.vramlab.kernel.judge;

/** Sealed types in one cell or in several, and switches that need no default. */
final class Sealed implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String shape = draft.name("Shape");
        String circle = draft.name("Circle");
        String square = draft.name("Square");
        String other = draft.name("Other");
        boolean ofClasses = dice.chance(40);
        draft.type(ofClasses
                ? "sealed abstract class %s permits %s, %s, %s { abstract double area(); String tell() { return \"a \" + area(); } }"
                : "sealed interface %s permits %s, %s, %s { double area(); default String tell() { return \"a \" + area(); } }",
                shape, circle, square, other);
        if (ofClasses) {
            draft.type(
                    "final class %s extends %s { double r; %s(double r) { this.r = r; } double r() { return r; } double area() { return 3 * r * r; } }",
                    circle, shape, circle);
            draft.type(
                    "static final class %s extends %s { double a; %s(double a) { this.a = a; } double a() { return a; } double area() { return a * a; } }"
                            .substring("static ".length()),
                    square, shape, square);
            draft.type("non-sealed class %s extends %s { double area() { return %d; } }", other, shape, draft.small());
        } else {
            draft.type("record %s(double r) implements %s { public double area() { return 3 * r * r; } }", circle,
                    shape);
            draft.type("record %s(double a) implements %s { public double area() { return a * a; } }", square, shape);
            draft.type("enum %s implements %s { ONE, TWO; public double area() { return ordinal() + %d; } }", other,
                    shape,
                    draft.small());
        }
        String anOther = ofClasses ? "new " + other + "()" : other + ".TWO";
        String visit = draft.name("visit");
        draft.method("""
                double %s(%s s) {
                    return switch (s) {
                        case %s c when c.r() > %d -> 100 * c.r();
                        case %s c -> c.r();
                        case %s q -> -q.a();
                        case %s o -> o.area();
                    };
                }""", visit, shape, circle, draft.small(), circle, square, other);
        String s = draft.variable(shape, "%s ? new %s(%s) : %s ? new %s(2) : %s".formatted(draft.expression("boolean"),
                circle, draft.expression("double"), draft.expression("boolean"), square, anOther));
        draft.value("%s(%s)", visit, s);
        draft.value("%s.tell()", s);
        draft.action(
                "for (%s each : new %s[] {new %s(%d), new %s(3), %s}) { System.out.println(%s(each) + each.tell()); }",
                shape, shape, circle, draft.small(), square, anOther, visit);
        draft.value("%s(null)", visit);
    }
}
