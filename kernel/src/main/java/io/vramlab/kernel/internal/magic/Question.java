package io.vramlab.kernel.internal.magic;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that asks what something is: {@code ?name}, {@code name?}, with two marks for all of it, {@code ?} alone for help.
 *
 * @param subject
 *            what is asked about; empty for the kernel itself
 * @param full
 *            whether all is wanted
 * @param leading
 *            whether the marks come first
 */
public record Question(String subject, boolean full, boolean leading) {

    private static final String SUBJECT = "(%{0,2}[A-Za-z_$][\\w.$]*)";
    private static final Pattern TRAILING = Pattern.compile("\\s*" + SUBJECT + "\\s*(\\?\\??)\\s*;?\\s*");
    private static final Pattern LEADING = Pattern.compile("\\s*(\\?\\??)\\s*" + SUBJECT + "\\s*;?\\s*");
    private static final Pattern ALONE = Pattern.compile("\\s*\\?\\s*");

    /** The question that a line is; null if it is none. */
    public static Question of(String line) {
        Matcher trailing = TRAILING.matcher(line);
        if (trailing.matches()) {
            return new Question(trailing.group(1), trailing.group(2).length() == 2, false);
        }
        Matcher leading = LEADING.matcher(line);
        if (leading.matches()) {
            return new Question(leading.group(2), leading.group(1).length() == 2, true);
        }
        return ALONE.matcher(line).matches() ? new Question("", false, true) : null;
    }

    /** As {@code %pinfo} takes it. */
    String arguments() {
        return (full ? "--full " : "") + subject;
    }
}
