package io.vramlab.kernel.judge;

import java.util.List;

/** Writes a session as a class: types and methods are its static members, variables its fields, each cell is a method. */
final class PlainSource {

    static final String PACKAGE = "io.vramlab.kernel.judge.made";

    private PlainSource() {
    }

    /** The name of the class of the session of that number. */
    static String name(int number) {
        return "Sequence" + number;
    }

    static String of(CellSequence sequence, int number) {
        StringBuilder members = new StringBuilder();
        StringBuilder methods = new StringBuilder();
        List<Cell> cells = sequence.cells();
        for (int i = 0; i < cells.size(); i++) {
            methods.append("public static Object cell").append(i)
                    .append("(java.util.List<String> declared, Object[] shown) throws Throwable {\n");
            for (Part part : cells.get(i).parts()) {
                switch (part) {
                    case Part.Type type -> members.append("static ").append(type.text()).append('\n');
                    case Part.Method method -> members.append("static ").append(method.text()).append('\n');
                    case Part.Variable variable -> {
                        members.append("static %s %s;%n".formatted(variable.type(), variable.name()));
                        methods.append("declared.add(\"").append(variable.name()).append("\");\n");
                        if (!variable.init().isEmpty()) {
                            methods.append("{ ").append(variable.type()).append(" $init = ").append(variable.init())
                                    .append(";\n").append(variable.name()).append(" = $init; }\n");
                        }
                    }
                    case Part.Action action -> methods.append("if (true) {\n").append(action.text()).append("\n}\n");
                    case Part.Value value ->
                        methods.append("var $value = ").append(value.text())
                                .append(";\nshown[0] = $value;\nif (true) return shown;\n");
                }
            }
            methods.append("return null;\n}\n");
        }
        return "package " + PACKAGE + ";\n" + String.join("\n", Imports.ALL) + "\npublic class " + name(number) + " {\n"
                + members
                + methods + "}\n";
    }
}
