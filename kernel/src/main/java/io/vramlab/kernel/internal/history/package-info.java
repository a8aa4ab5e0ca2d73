/**
 * What was run, kept on disk from session to session: one JSON object a line, in a file that only its user can read.
 */
package io.vramlab.kernel.internal.history;
