package io.vramlab.install.notebook;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.vramlab.magics.text.ReadableSizes;

/**
 * Two texts with tables that tell the same figures in other forms, as releases write them: columns in another order, a column more, a
 * size beside its bytes or without, a share in percent or as a fraction. What stands outside of tables must be the same.
 *
 * @param prose what is no table, a table's place kept by a blank line
 * @param tables the tables, in order
 */
record TableForm(String prose, List<Grid> tables) {

    private static final Pattern RULE = Pattern.compile("-{2,}( +-{2,})*");
    private static final Pattern DASHES = Pattern.compile("-+");
    private static final Pattern FIGURE = Pattern
            .compile("(?<![\\w.])[+-]?\\d[\\d,]*(\\.\\d+)?( ?%| (bytes|[KMGT]iB)\\b)?");
    private static final Pattern SIZE = Pattern.compile("[+-]?\\d[\\d,]*\\.\\d+ [KMGT]iB");
    private static final Pattern SIZE_AND_BYTES = Pattern
            .compile("(\\d[\\d,]*\\.\\d+ [KMGT]iB)\\s+(\\d[\\d,]*)(?![\\d.])");
    private static final Pattern SHARE = Pattern.compile("(\\d+)(?:\\.(\\d+))? ?%");
    private static final Pattern FRACTION = Pattern.compile("[01]\\.\\d{3,}");

    /**
     * A table.
     *
     * @param names of its columns
     * @param rows its cells
     */
    record Grid(List<String> names, List<List<String>> rows) {
    }

    /** Takes a text apart. */
    static TableForm of(String text) {
        List<String> lines = text.lines().toList();
        StringBuilder prose = new StringBuilder();
        List<Grid> tables = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (i + 1 < lines.size() && RULE.matcher(lines.get(i + 1).strip()).matches()) {
                List<int[]> spans = DASHES.matcher(lines.get(i + 1)).results()
                        .map(dashes -> new int[]{dashes.start(), dashes.end()}).toList();
                Grid grid = new Grid(cells(lines.get(i), spans), new ArrayList<>());
                i += 2;
                while (i < lines.size() && isRow(lines.get(i), spans)) {
                    grid.rows().add(cells(lines.get(i++), spans));
                }
                i--;
                tables.add(grid);
                prose.append('\n');
            } else {
                prose.append(lines.get(i)).append('\n');
            }
        }
        return new TableForm(prose.toString(), List.copyOf(tables));
    }

    /** Between columns a row has blanks. */
    private static boolean isRow(String line, List<int[]> spans) {
        for (int c = 1; c < spans.size(); c++) {
            for (int at = spans.get(c - 1)[1]; at < spans.get(c)[0] && at < line.length(); at++) {
                if (line.charAt(at) != ' ') {
                    return false;
                }
            }
        }
        return !line.isBlank() && !line.startsWith("…");
    }

    private static List<String> cells(String line, List<int[]> spans) {
        List<String> cells = new ArrayList<>();
        for (int c = 0; c < spans.size(); c++) {
            int from = Math.min(spans.get(c)[0], line.length());
            int to = c + 1 == spans.size() ? line.length() : Math.min(spans.get(c)[1], line.length());
            cells.add(line.substring(from, to).strip());
        }
        return cells;
    }

    /** Whether another text, of today, tells the same in its tables, and the same words outside of them. */
    boolean tellsTheSame(TableForm now, UnaryOperator<String> lasting) {
        if (tables.isEmpty() || tables.size() != now.tables.size()
                || !lasting.apply(prose).equals(lasting.apply(now.prose))) {
            return false;
        }
        for (int i = 0; i < tables.size(); i++) {
            if (!alike(tables.get(i), now.tables.get(i), lasting)) {
                return false;
            }
        }
        return true;
    }

    private static boolean alike(Grid before, Grid now, UnaryOperator<String> lasting) {
        if (before.rows().size() != now.rows().size()) {
            return false;
        }
        List<String> names = now.names().stream().map(TableForm::key).toList();
        for (int column = 0; column < before.names().size(); column++) {
            int place = names.indexOf(key(before.names().get(column)));
            for (int row = 0; row < before.rows().size(); row++) {
                String cell = before.rows().get(row).get(column);
                List<String> today = now.rows().get(row);
                // a column of another name, or none: what it told must stand elsewhere in the row
                boolean told = place >= 0
                        ? alike(cell, today.get(place), lasting)
                        : has(figures(String.join("  ", today)), figures(cell))
                                && (!figures(cell).isEmpty() || today.contains(cell));
                if (!told) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A column's name without its unit. */
    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll(" (bytes|mib|%)$", "").strip();
    }

    private static boolean alike(String before, String now, UnaryOperator<String> lasting) {
        if (lasting.apply(before).equals(lasting.apply(now))) {
            return true;
        }
        List<String> a = figures(before);
        List<String> b = figures(now);
        return !a.isEmpty() && has(b, a) && has(a, b);
    }

    /** Whether each of some figures is among others, in another form maybe. */
    private static boolean has(List<String> among, List<String> some) {
        return some.stream().allMatch(figure -> among.stream().anyMatch(other -> same(figure, other)));
    }

    private static List<String> figures(String cell) {
        return FIGURE.matcher(cell).results().map(found -> found.group().replaceAll(" bytes$", "")).toList();
    }

    private static boolean same(String a, String b) {
        return a.equals(b) || isSizeOf(a, b) || isSizeOf(b, a) || isShareOf(a, b) || isShareOf(b, a);
    }

    private static boolean isSizeOf(String size, String bytes) {
        return SIZE.matcher(size).matches() && bytes.matches("[+-]?[\\d,]+") && bytes.length() < 19
                && size.replaceAll("^[+-]", "")
                        .equals(ReadableSizes.text(Math.abs(Long.parseLong(bytes.replaceAll("[+,]", "")))));
    }

    /** 57.1 % of 0.5714. */
    private static boolean isShareOf(String share, String fraction) {
        Matcher percent = SHARE.matcher(share);
        if (!percent.matches() || !FRACTION.matcher(fraction).matches()) {
            return false;
        }
        int decimals = percent.group(2) == null ? 0 : percent.group(2).length();
        double half = 0.5 * Math.pow(10, -decimals) + 1e-9;
        return Math.abs(Double.parseDouble(share.replaceAll("[ %]", ""))
                - 100 * Double.parseDouble(fraction)) <= half;
    }

    /** Without sizes that only say again what the bytes behind them say: a release that shows more of them shows the same. */
    static String withoutSizes(String page) {
        return SIZE_AND_BYTES.matcher(page).replaceAll(
                found -> isSizeOf(found.group(1), found.group(2))
                        ? found.group(2)
                        : Matcher.quoteReplacement(found.group()));
    }

    /** Whether a page shows the figures that its text tells: none was changed in the one form alone. */
    static boolean shows(String page, String text) {
        List<String> shown = Arrays.asList(FIGURE.matcher(page).results().map(found -> found.group()
                .replaceAll(" bytes$", "")).toArray(String[]::new));
        return of(text).tables().stream().flatMap(grid -> grid.rows().stream()).flatMap(List::stream)
                .allMatch(cell -> has(shown, figures(cell)));
    }
}
