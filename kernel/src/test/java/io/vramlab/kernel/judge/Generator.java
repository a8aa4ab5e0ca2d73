package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** Makes a session from a seed. */
final class Generator {

    private static final List<Feature> FEATURES = List.of(new Families(), new Records(), new Sealed(), new Enums(),
            new Generics(), new Nested(), new Lambdas(), new Streams(), new Threads(), new Overloads(),
            new Initializers(),
            new Failures(), new Flow(), new Families(), new Flow());
    private static final int MOST_PARTS = 5;

    private Generator() {
    }

    /** The session that this seed stands for. */
    static CellSequence sequence(long seed) {
        Draft draft = new Draft(seed);
        int features = draft.dice.chance(85) ? 1 : 2;
        for (int i = 0; i < features; i++) {
            draft.dice.of(FEATURES).write(draft);
        }
        return new CellSequence(seed, cells(draft.dice, draft.needed()));
    }

    /**
     * Deals the snippets out to cells: declarations first, then at most one variable whose initializer may throw, statements,
     * and an expression last. What stands behind a snippet that throws is not declared, which a plain program cannot say.
     */
    private static List<Cell> cells(Dice dice, List<Part> parts) {
        List<Cell> cells = new ArrayList<>();
        List<Part> cell = new ArrayList<>();
        int rank = 0;
        int most = MOST_PARTS;
        for (Part part : parts) {
            int next = rank(part);
            boolean fits = next >= rank && !(rank == 1 && next == 1);
            if (!cell.isEmpty() && (!fits || cell.size() >= most)) {
                cells.add(new Cell(List.copyOf(cell), canBeOpen(cell.getLast()) && dice.chance(30)));
                cell.clear();
                most = 1 + dice.upTo(MOST_PARTS);
            }
            cell.add(part);
            rank = next;
            if (rank == VALUE) {
                cells.add(new Cell(List.copyOf(cell), false));
                cell.clear();
                rank = 0;
            }
        }
        if (!cell.isEmpty()) {
            cells.add(new Cell(List.copyOf(cell), false));
        }
        return cells;
    }

    /** Without its semicolon an assignment or a call would be an expression, and its value shown. */
    private static boolean canBeOpen(Part last) {
        return last instanceof Part.Variable
                || last instanceof Part.Action && last.text().matches("(?s)(throw|assert|System\\.out).*;");
    }

    private static final int VALUE = 3;

    private static int rank(Part part) {
        return switch (part) {
            case Part.Type _,Part.Method _ -> 0;
            case Part.Variable _ -> 1;
            case Part.Action _ -> 2;
            case Part.Value _ -> VALUE;
        };
    }
}
