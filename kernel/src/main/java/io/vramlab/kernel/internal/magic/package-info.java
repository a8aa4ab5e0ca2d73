/**
 * Magics: finds them in a cell, looks them up, runs them; and those of the kernel itself.
 *
 * <p>
 * A magic line is recognised by a small scanner that knows strings, text blocks, character literals and comments, so a
 * {@code %} inside a string, a comment or an expression stays what it is. It is run before Java ever sees it; inside a
 * block, or behind {@code =}, it is rewritten to a call of {@code magic("name", "arguments")}, on the same line, so that
 * line numbers keep their meaning.
 */
package io.vramlab.kernel.internal.magic;
