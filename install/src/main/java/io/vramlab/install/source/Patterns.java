package io.vramlab.install.source;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What several statements come to together. */
final class Patterns {

    private static final Pattern CAUGHT = Pattern.compile("except.*\\bas (\\w+)\\s*:.*");
    private static final Pattern PRODUCT = Pattern.compile(" @ |matmul\\(|einsum\\(|bmm\\(|\\.mm\\(");
    private static final Pattern CALL = Pattern.compile("(\\w+)\\s*\\(");
    /** What is called everywhere and holds nothing. */
    private static final Pattern COMMON = Pattern.compile(
            "print|len|range|str|int|float|max|min|format|append|item|empty_cache|collect|synchronize|log|info|warning|time|zero_grad|"
                    + "memory_\\w+|close|write|get|items|join");
    private static final Pattern LOSS = Pattern.compile("cross_entropy|nll_loss");

    private Patterns() {
    }

    /** Whether an error that was caught is put away as it is, with all that the frames hold which it came through. */
    static boolean keepsError(PythonFile file, Statement head) {
        Matcher caught = CAUGHT.matcher(head.text());
        if (!caught.matches()) {
            return false;
        }
        String name = caught.group(1);
        // given to something that keeps it, and not as text
        Pattern kept = Pattern.compile(
                "(?!raise\\b|print|log)(.*\\.(append|add|put)\\(|[^=(]+=(?!=)\\s*)(?!.*(str|repr|format|type)\\("
                        + name + ")(?:.*[(,=\\s\\[])?" + name + "\\s*[)\\],}]*");
        return file.within(head).stream().skip(1).anyMatch(each -> kept.matcher(each.text()).matches());
    }

    /** Whether what was tried is called again within the clause that caught its error. */
    static boolean retries(PythonFile file, Statement head) {
        if (!head.text().startsWith("except") || head.index() == 0) {
            return false;
        }
        Set<String> tried = new HashSet<>();
        file.function(head).map(Statement::functionName).ifPresent(tried::add);
        List<Statement> all = file.statements();
        for (int at = head.index() - 1; at >= 0 && all.get(at).indent() >= head.indent(); at--) {
            tried.addAll(calls(all.get(at)));
            if (all.get(at).indent() == head.indent() && all.get(at).text().startsWith("try")) {
                break;
            }
        }
        tried.removeIf(name -> COMMON.matcher(name).matches());
        return file.within(head).stream().skip(1).flatMap(each -> calls(each).stream()).anyMatch(tried::contains);
    }

    private static Set<String> calls(Statement statement) {
        return CALL.matcher(statement.text()).results().map(call -> call.group(1)).collect(Collectors.toSet());
    }

    /** Whether a function multiplies queries with keys and takes the softmax of the scores. */
    static boolean isAttention(PythonFile file, Statement function) {
        List<Statement> body = file.within(function);
        String text = body.stream().map(Statement::text).collect(Collectors.joining("\n"));
        return text.contains("softmax") && PRODUCT.matcher(text).find() && !LOSS.matcher(text).find();
    }
}
