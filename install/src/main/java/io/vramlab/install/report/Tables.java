package io.vramlab.install.report;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.vramlab.kernel.spi.text.Markdown;

/** Rows as a Markdown table. */
final class Tables {

    private Tables() {
    }

    /** What stands right in its column, so that one can compare: numbers, sizes and shares, and what stands for one. */
    private static final Pattern FIGURE = Pattern
            .compile("-?\\d[\\d,]*(\\.\\d+)?( %| bytes?| [KM]iB \\([\\d,]+ bytes\\))?|before the first|");

    /** Texts may come from a file and hold anything; they show as they are written. */
    static String markdown(List<String> headings, List<List<String>> rows) {
        StringBuilder out = new StringBuilder(line(headings)).append('\n');
        for (int column = 0; column < headings.size(); column++) {
            int at = column;
            out.append(rows.stream().allMatch(row -> FIGURE.matcher(row.get(at)).matches()) ? "| ---: " : "| --- ");
        }
        out.append("|\n");
        rows.forEach(row -> out.append(line(row)).append('\n'));
        return out.toString();
    }

    private static String line(List<String> cells) {
        return cells.stream().map(Markdown::escape).collect(Collectors.joining(" | ", "| ", " |"));
    }
}
