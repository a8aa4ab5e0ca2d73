package io.vramlab.install;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of texts as aligned lines. */
final class TextTable {

    private static final String GAP = "  ";

    private TextTable() {
    }

    /**
     * One line for each row, and one of dashes below the first.
     *
     * @param rows the headings, then the others; all of the same length
     * @param sides for each column l or r, the side that its texts stand at
     */
    static List<String> lines(List<List<String>> rows, String sides) {
        int[] widths = new int[sides.length()];
        for (List<String> row : rows) {
            Arrays.setAll(widths, i -> Math.max(widths[i], row.get(i).length()));
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String fill = " ".repeat(widths[i] - row.get(i).length());
                line.append(sides.charAt(i) == 'r' ? fill + row.get(i) : row.get(i) + fill).append(GAP);
            }
            lines.add(line.toString().stripTrailing());
        }
        StringBuilder rule = new StringBuilder();
        Arrays.stream(widths).forEach(width -> rule.append("-".repeat(width)).append(GAP));
        lines.add(1, rule.toString().stripTrailing());
        return lines;
    }
}
