/**
 * How tables look. The value of every magic is a Tablesaw {@link tech.tablesaw.api.Table}, so that a cell can filter and
 * join it; this package only shows it, as HTML and as aligned text.
 *
 * <p>
 * What is shown follows from the table alone, so that a filtered or joined table looks like the one it came from:
 * <ul>
 * <li>the table's name is the caption;</li>
 * <li>numbers stand right, with thousands separated; a column whose name is {@code bytes} or ends in {@code bytes} has
 * its size in KiB, MiB or GiB beside the digits; one of fractions whose name is {@code fragmentation} or ends in {@code share}
 * is shown in percent;</li>
 * <li>text with several lines shows the first and folds the rest away: that is how stacks are stored;</li>
 * <li>after the row limit a last line says how many rows were left out.</li>
 * </ul>
 *
 * <p>
 * The HTML keeps to what JupyterLab's sanitizer leaves in a notebook that is not trusted: no script, no style sheet, no
 * inline SVG, and only inline styles. No colour of text is fixed, so that it is readable on light and on dark themes.
 */
package io.vramlab.magics.table;
