package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message that is told whole by its wording: a block of {@code wordings.txt}.
 *
 * @param form
 *            its name, which no other has
 * @param tier
 *            how surely it is about memory
 * @param source
 *            what prints it
 * @param versions
 *            versions that print it
 * @param words
 *            what a long log is searched for
 * @param pattern
 *            the wording; a group is called as its figure's role
 * @param figures
 *            what its groups count
 * @param verdict
 *            one sentence, in which ${role} stands for a figure
 * @param findings
 *            what follows, with such places too
 * @param next
 *            two lines to paste
 * @param why
 *            what they would show
 */
record Wording(String form, Tier tier, Message.Source source, String versions, List<String> words, Pattern pattern,
        List<Figured> figures, String verdict, List<Conclusion> findings, List<String> next, String why) {

    /** Wordings of a tier count only where a text has none of those before. */
    enum Tier {
        /** Says that memory ran out. */
        MESSAGE,
        /** Is taken for it, or hides it. */
        LOOK_ALIKE,
        /** The beginning of a message, without its figures. */
        BARE,
        /** Words that anybody may use. */
        NAMELESS
    }

    /** What a group of the pattern counts; {@code unit} is appended where the text prints none. */
    record Figured(Role role, String name, String unit, String meaning) {

        String group() {
            return role.name().toLowerCase(Locale.ROOT);
        }

        private Optional<Figure> in(Matcher found) {
            return Optional.ofNullable(found.group(group())).flatMap(text -> Amount.parse(text + unit))
                    .map(amount -> new Figure(role, name, amount, meaning));
        }
    }

    /** All that are in a text, whose white space is folded. */
    List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        if (words.stream().noneMatch(text::contains)) {
            return found; // a pattern takes longer
        }
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            List<Figure> told = figures.stream().flatMap(each -> each.in(matcher).stream()).toList();
            Map<String, Integer> groups = pattern.namedGroups();
            int device = groups.containsKey("device") ? Integer.parseInt(matcher.group("device")) : -1;
            found.add(new Message(source, form, versions, device, told, matcher.start(), matcher.group()));
        }
        return found;
    }
}
