package io.vramlab.install.report;

import java.util.List;
import java.util.stream.Collectors;

import io.vramlab.kernel.spi.text.Markdown;

/** Rows as a Markdown table. */
final class Tables {

    private Tables() {
    }

    /** Texts may come from a file and hold anything; they show as they are written. */
    static String markdown(List<String> headings, List<List<String>> rows) {
        StringBuilder out = new StringBuilder(line(headings)).append('\n')
                .append("| --- ".repeat(headings.size())).append("|\n");
        rows.forEach(row -> out.append(line(row)).append('\n'));
        return out.toString();
    }

    private static String line(List<String> cells) {
        return cells.stream().map(Markdown::escape).collect(Collectors.joining(" | ", "| ", " |"));
    }
}
