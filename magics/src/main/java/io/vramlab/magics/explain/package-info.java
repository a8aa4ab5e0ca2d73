/**
 * What the text of an out-of-memory error tells, and what it does not. {@link io.vramlab.magics.explain.Explanation#of}
 * finds the message in a log, reads every figure, and reasons with them; nothing here knows of Jupyter, tables or files.
 *
 * <p>
 * A figure that is printed with two decimals is an interval: {@code 1.72 GiB} lies within 5.1 MiB of what was true. Every
 * comparison here allows for that, so what is called proven holds for each value that the text can stand for.
 *
 * <p>
 * Which program prints which form since which version, with sources, is in docs/explain.md.
 */
package io.vramlab.magics.explain;
