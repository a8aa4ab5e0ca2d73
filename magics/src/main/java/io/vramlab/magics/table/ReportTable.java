package io.vramlab.magics.table;

import io.vramlab.magics.picture.Picture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;
import tech.tablesaw.columns.Column;
import tech.tablesaw.io.DataFrameWriter;

/**
 * A table as a magic gives it: with a picture above, notes below, a row limit, or a plain text of its own. To the cell
 * it is an ordinary {@link Table}; what is filtered out of it has neither picture nor notes.
 *
 * <p>
 * Its texts may come from files and from strangers. Saved by {@link #write}, to CSV or another format, a text that a
 * spreadsheet would take for a formula has an apostrophe before it, which spreadsheets do not show.
 */
public final class ReportTable extends Table {

    /** Rows shown of a table that sets no limit. */
    public static final int DEFAULT_ROWS = 50;

    private final List<String> notes = new ArrayList<>();
    private final List<ReportTable> sections = new ArrayList<>();
    private Picture picture;
    private boolean png;
    private String text;
    private String page;
    private int rows = DEFAULT_ROWS;
    private String lower;
    private String upper;

    /** A table of these columns under this caption. */
    public ReportTable(String caption, Column<?>... columns) {
        super(caption, columns);
    }

    @Override
    public DataFrameWriter write() {
        Table harmless = Table.create(name());
        columns().forEach(column -> harmless.addColumns(column instanceof StringColumn texts
                ? texts.map(Formulas::harmless)
                : column));
        return harmless.write();
    }

    @Override
    public Table emptyCopy() {
        return like(super.emptyCopy());
    }

    @Override
    public Table emptyCopy(int rowSize) {
        return like(super.emptyCopy(rowSize));
    }

    @Override
    public Table copy() {
        return like(super.copy());
    }

    private static ReportTable like(Table table) {
        return new ReportTable(table.name(), table.columnArray());
    }

    /** Shows a picture above the table; as PNG too if {@code png}. */
    public ReportTable picture(Picture shown, boolean png) {
        this.picture = shown;
        this.png = png;
        return this;
    }

    /** Shows a whole page of HTML, script and all, in a frame of its own, where the notebook is trusted; nothing elsewhere. */
    public ReportTable page(String html) {
        this.page = html;
        return this;
    }

    /** Shows another table below. */
    public ReportTable section(ReportTable below) {
        sections.add(below);
        return this;
    }

    /** Adds a line below the table. */
    public ReportTable note(String line) {
        notes.add(line);
        return this;
    }

    /** Shows this instead of the aligned table where only text can be shown. */
    public ReportTable text(String plain) {
        this.text = plain;
        return this;
    }

    /** Shows at most so many rows, and says how many more there are. */
    public ReportTable rows(int limit) {
        this.rows = limit;
        return this;
    }

    /** On a page, sets the words of one column small below those of another, which saves its width. */
    public ReportTable below(String column, String other) {
        this.lower = column;
        this.upper = other;
        return this;
    }

    /** The place of the column whose words stand below another's; -1 where each column has a place of its own. */
    int lowerColumn() {
        return lower == null ? -1 : columnIndex(lower);
    }

    /** The place of the column below whose words another's stand. */
    int upperColumn() {
        return upper == null ? -1 : columnIndex(upper);
    }

    /** The picture above the table. */
    public Optional<Picture> picture() {
        return Optional.ofNullable(picture);
    }

    /** The page in a frame. */
    public Optional<String> page() {
        return Optional.ofNullable(page);
    }

    /** True when the picture is asked for as PNG. */
    public boolean png() {
        return png;
    }

    /** The tables below. */
    public List<ReportTable> sections() {
        return List.copyOf(sections);
    }

    /** The lines below the table. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** The plain text of its own, if it has one. */
    public Optional<String> text() {
        return Optional.ofNullable(text);
    }

    /** The most rows shown. */
    public int rowLimit() {
        return rows;
    }
}
