package io.vramlab.kernel.internal.complete;

import java.util.List;

/**
 * What could stand at the cursor.
 *
 * @param matches
 *            the texts, best first
 * @param start
 *            the char index from which each of them replaces
 * @param end
 *            the char index up to which
 */
public record Completion(List<Match> matches, int start, int end) {

    /**
     * One text.
     *
     * @param text
     *            what would be inserted
     * @param type
     *            what it is: function, class, keyword, instance, magic, path
     */
    public record Match(String text, String type) {
    }
}
