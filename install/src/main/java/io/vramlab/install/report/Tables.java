package io.vramlab.install.report;

import java.util.List;
import java.util.stream.Collectors;

/** Rows as a Markdown table. */
final class Tables {

    private Tables() {
    }

    /** Texts from a file may hold anything: what Markdown or HTML would take as its own is made harmless. */
    static String markdown(List<String> headings, List<List<String>> rows) {
        StringBuilder out = new StringBuilder(line(headings)).append('\n')
                .append(line(headings.stream().map(h -> "---").toList())).append('\n');
        rows.forEach(row -> out.append(line(row)).append('\n'));
        return out.toString();
    }

    private static String line(List<String> cells) {
        return cells.stream().map(Tables::harmless).collect(Collectors.joining(" | ", "| ", " |"));
    }

    /** A text that shows as it is written. */
    static String harmless(String text) {
        return text.codePoints().map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString()
                .replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("`", "\\`")
                .replace("[", "\\[").replace("*", "\\*");
    }
}
