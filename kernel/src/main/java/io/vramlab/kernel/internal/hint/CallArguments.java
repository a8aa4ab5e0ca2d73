package io.vramlab.kernel.internal.hint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to write where the arguments of a call are not what it takes. */
final class CallArguments {

    /** What the compiler says, how the line looks, and what helps; the first that fits counts. */
    private record Case(Pattern message, Pattern line, String hint) {
    }

    private static final Pattern CALLED = Pattern.compile("([\\w.]+)\\s*$");
    private static final List<Case> CASES = cases();

    private CallArguments() {
    }

    /**
     * What to write for an argument with a name, as {@code lr=0.1} in {@code SGD(parameters, lr=0.1)}.
     *
     * @param name
     *            of a variable that there is not
     */
    static Optional<String> named(String line, String name) {
        Matcher named = Pattern.compile("[(,]\\s*(" + Pattern.quote(name) + ")\\s*=(?!=)").matcher(line);
        return named.find()
                ? Optional.of("Java has no named arguments: give the value alone, in its place"
                        + called(line.substring(0, named.start(1)))
                                .map(each -> " (%s? shows the order)".formatted(each))
                                .orElse(""))
                : Optional.empty();
    }

    /** What is called by the innermost parenthesis that is open at the end of a text. */
    private static Optional<String> called(String text) {
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '(') {
                open.push(i);
            } else if (text.charAt(i) == ')' && !open.isEmpty()) {
                open.pop();
            }
        }
        if (open.isEmpty()) {
            return Optional.empty();
        }
        Matcher name = CALLED.matcher(text.substring(0, open.peek()));
        return name.find()
                ? Optional.of(name.group(1).replaceFirst("^(?:torch|nn|optim|F)\\.(?:\\w+\\.)*", ""))
                : Optional.empty();
    }

    /** What to write for a call that the compiler knows, with other arguments. */
    static Optional<String> of(Complaint complaint) {
        return CASES.stream().filter(each -> each.message().matcher(complaint.message()).find()
                && each.line().matcher(complaint.line()).find()).map(Case::hint).findFirst();
    }

    private static List<Case> cases() {
        List<Case> all = new ArrayList<>();
        add(all, "^no suitable method found for to\\(java\\.lang\\.String\\)", "\\.to\\s*\\(",
                "a device is a value: write x.cuda(), x.cpu() or x.to(Device.cuda(0)); a dtype is DType.FLOAT16");
        add(all, "^method print(?:ln)? in class java\\.lang\\.IO cannot be applied", "print(?:ln)?\\s*\\(",
                "print takes one value: print(a + \" \" + b)");
        add(all, "^method size in class \\S+ cannot be applied", "\\.size\\s*\\(\\s*\\)",
                "size(i) is one size; shape() has all of them");
        add(all, "^(?:int|long|float|double|boolean) cannot be dereferenced", "\\.get\\s*\\([^()]*\\)\\s*\\.",
                "get(i, j) gives one number, which has no methods; a row, x[i] in Python, is select(0, i)");
        return List.copyOf(all);
    }

    private static void add(List<Case> all, String message, String line, String hint) {
        all.add(new Case(Pattern.compile(message), Pattern.compile(line), hint));
    }
}
