/**
 * A cell while it runs: whose output it is, on which thread it runs, and whether it was told to stop.
 *
 * <p>
 * Every thread that a cell starts inherits its {@link io.vramlab.kernel.internal.cell.CellRun}, so output that comes late still
 * finds the cell that it belongs to. User code runs on a thread of its own ({@link io.vramlab.kernel.internal.cell.CellThread}),
 * never on the one that compiles: an interrupt may then hit the user's code at any time without ever hitting javac, whose
 * open jar files would not survive it, and code that cannot be stopped can be left behind.
 *
 * <p>
 * Stopping is cooperative where Java leaves no other way: {@link io.vramlab.kernel.internal.cell.StopCheck#check} is woven into
 * every method and loop of the cells' classes; blocking calls are woken by {@link java.lang.Thread#interrupt}.
 */
package io.vramlab.kernel.internal.cell;
