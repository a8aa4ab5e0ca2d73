package io.vramlab.kernel.magic.builtin;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a magic's arguments; quotes hold blanks together, backslashes mean themselves. */
final class Words {

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private Words() {
    }

    static List<String> of(String arguments) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(arguments);
        while (matcher.find()) {
            words.add(matcher.group(1) != null
                    ? matcher.group(1)
                    : matcher.group(2) != null ? matcher.group(2) : matcher.group(3));
        }
        return words;
    }
}
