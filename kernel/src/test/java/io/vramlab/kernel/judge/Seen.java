package io.vramlab.kernel.judge;

import java.util.Map;

/**
 * What a user sees of one cell.
 *
 * @param out
 *            what it printed
 * @param shown
 *            the value of its last expression, null if it shows none
 * @param thrown
 *            the exception that ended it with its message, null if none did
 * @param variables
 *            every variable of the session after it, with its type and value
 */
record Seen(String out, String shown, String thrown, Map<String, String> variables) {
}
