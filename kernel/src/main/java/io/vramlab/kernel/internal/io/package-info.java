/**
 * Standard output, error and input of cells.
 *
 * <p>
 * {@code System.out} and {@code System.err} are the notebook's again at the begin of each cell; each write looks up the cell that its thread
 * belongs to. Text is gathered and leaves as few {@code stream} messages: the first one at once, the next ones at
 * intervals of {@value io.vramlab.kernel.internal.io.CellOutput#INTERVAL_MILLIS} ms or when much has gathered, and always before
 * anything else that the cell publishes, so that the order on the screen is the order in the program.
 */
package io.vramlab.kernel.internal.io;
