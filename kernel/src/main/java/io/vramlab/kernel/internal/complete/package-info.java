/**
 * Help while typing: completion, documentation, and whether a text is a whole program.
 *
 * <p>
 * Frontends count positions in Unicode code points, Java in UTF-16 units; {@link io.vramlab.kernel.internal.complete.CodePoints}
 * stands between. A cell may hold magics and several snippets, JShell looks at one piece of Java: {@code
 * io.vramlab.kernel.internal.complete.CursorContext} finds the piece that the cursor is in.
 */
package io.vramlab.kernel.internal.complete;
