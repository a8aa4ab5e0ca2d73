package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** What can be named at one place of a program. */
final class Scope {

    /** A variable; {@code steady} ones may be named in a lambda, others may be assigned. */
    record Name(String type, String name, boolean steady, boolean assignable) {
    }

    /** A method that is there for all. */
    record Function(String returned, String name, List<String> parameters) {
    }

    /** Classes with a common supertype that has {@code int size(int)}; makers are expressions with one {@code %s} for an int. */
    record Family(String base, List<String> makers) {
    }

    final List<Name> names;
    final List<Function> functions;
    final List<Family> families;
    /** Names of resources' classes: constructor of a String, closes with a line printed. */
    final List<String> resources;

    Scope() {
        this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    private Scope(List<Name> names, List<Function> functions, List<Family> families, List<String> resources) {
        this.names = names;
        this.functions = functions;
        this.families = families;
        this.resources = resources;
    }

    /** A block in here: what it declares is not seen outside. */
    Scope inner() {
        return new Scope(new ArrayList<>(names), functions, families, resources);
    }

    /** The body of a lambda, or of a class, in here. */
    Scope captured() {
        return new Scope(new ArrayList<>(names.stream().filter(Name::steady).toList()), functions, families, resources);
    }

    /** The body of a class in here: it has another super. */
    Scope ofClass() {
        return new Scope(captured().names, new ArrayList<>(functions.stream()
                .filter(each -> !each.name().startsWith("super.")).toList()), families, resources);
    }

    List<Name> of(String type) {
        return names.stream().filter(each -> each.type().equals(type)).toList();
    }

    List<Name> assignable() {
        return names.stream().filter(Name::assignable).toList();
    }

    List<Function> returning(String type) {
        return functions.stream().filter(each -> each.returned().equals(type)).toList();
    }

    void local(String type, String name, boolean constant) {
        names.add(new Name(type, name, constant, !constant));
    }

    /** A variable of the session: lambdas may name it although it may change. */
    void global(String type, String name) {
        names.add(new Name(type, name, true, true));
    }
}
