package io.vramlab.magics.explain;

import java.util.List;

/** Draws conclusions from one message. */
interface Reasoning {

    /**
     * What follows.
     *
     * @param verdict
     *            one sentence
     * @param findings
     *            in the order in which they were found
     * @param next
     *            two lines to paste
     * @param why
     *            what they would show
     */
    record Result(String verdict, List<Conclusion> findings, List<String> next, String why) {
    }

    Result result();
}
