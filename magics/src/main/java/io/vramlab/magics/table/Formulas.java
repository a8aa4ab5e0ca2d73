package io.vramlab.magics.table;

import java.util.regex.Pattern;

/** Texts that a spreadsheet would run when it opens a saved table. */
final class Formulas {

    private static final Pattern BEGINNING = Pattern.compile("\\A[=+\\-@\\t\\r\\n]");
    /** A sign alone, or before a number with or without a unit, computes nothing. */
    private static final Pattern NUMBER = Pattern.compile("[+\\-](?:[0-9][0-9.,]*(?: (?:bytes?|[KMGTP]iB|%))?)?");

    private Formulas() {
    }

    /** The text as it can be saved: with an apostrophe before what would be a formula. */
    static String harmless(String text) {
        return text != null && BEGINNING.matcher(text).find() && !NUMBER.matcher(text).matches() ? "'" + text : text;
    }
}
