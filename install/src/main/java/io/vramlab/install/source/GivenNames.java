package io.vramlab.install.source;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which of a function's parameters a call gives something of interest. */
final class GivenNames {

    private static final Pattern KEYWORD = Pattern.compile("(\\w+) ?=(?!=)(.*)");
    private static final Pattern NAME = Pattern.compile("\\W*(\\w+).*");

    private GivenNames() {
    }

    /**
     * The names of the parameters.
     *
     * @param call a statement that calls the function
     * @param function its head
     * @param which whether an argument is of interest
     */
    static Set<String> given(Statement call, Statement function, Predicate<String> which) {
        List<String> names = in(function.text(), function.functionName()).stream().map(NAME::matcher)
                .filter(Matcher::matches).map(name -> name.group(1)).filter(name -> !name.matches("self|cls")).toList();
        Set<String> given = new HashSet<>();
        List<String> arguments = in(call.text(), function.functionName());
        for (int i = 0; i < arguments.size(); i++) {
            Matcher keyword = KEYWORD.matcher(arguments.get(i));
            boolean named = keyword.matches();
            if (which.test(named ? keyword.group(2) : arguments.get(i))) {
                given.add(named ? keyword.group(1) : names.isEmpty() ? "" : names.get(Math.min(i, names.size() - 1)));
            }
        }
        return given;
    }

    /** What stands between the commas of the brackets behind a name. */
    private static List<String> in(String text, String name) {
        Matcher begin = Pattern.compile("\\b" + Pattern.quote(name) + "\\s*\\(").matcher(text);
        List<String> parts = new ArrayList<>();
        if (!begin.find()) {
            return parts;
        }
        int open = 0;
        int from = begin.end();
        for (int i = from; i < text.length() && open >= 0; i++) {
            char at = text.charAt(i);
            open += "([{".indexOf(at) >= 0 ? 1 : ")]}".indexOf(at) >= 0 ? -1 : 0;
            if (open < 0 || open == 0 && at == ',') {
                parts.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        return parts;
    }
}
