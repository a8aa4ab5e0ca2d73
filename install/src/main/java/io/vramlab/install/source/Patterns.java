package io.vramlab.install.source;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
    /** What adds to something that it is called on. */
    private static final Pattern ADDS = Pattern
            .compile(
                    "([\\w.]+)(\\[[^=]*\\])?\\.(append|extend|add|update|put|put_nowait|appendleft|push|insert|store)\\(.*");
    private static final Pattern OF_LOGITS = Pattern
            .compile("cross_entropy|nll_loss|log_softmax|logsumexp|kl_div|one_hot|CrossEntropyLoss");
    private static final Pattern LOSS = Pattern.compile("cross_entropy|nll_loss");

    private Patterns() {
    }

    /** Where an error that a clause caught is put away as it is, with all that the frames hold which it came through. */
    static Optional<Statement> keptError(PythonFile file, Statement head) {
        Matcher caught = CAUGHT.matcher(head.text());
        if (!caught.matches()) {
            return Optional.empty();
        }
        String name = caught.group(1);
        // given to something that keeps it, and not as text
        Pattern kept = Pattern.compile(
                "(?!raise\\b|print|log)(.*\\.(append|add|put)\\(|[^=(]+=(?!=)\\s*)(?!.*(str|repr|format|type)\\("
                        + name + ")(?:.*[(,=\\s\\[])?" + name + "\\s*[)\\],}]*");
        return file.within(head).stream().skip(1).filter(each -> kept.matcher(each.text()).matches()).findFirst();
    }

    /** Where what was tried is called again within the clause that caught its error. */
    static Optional<Statement> retry(PythonFile file, Statement head) {
        if (!head.text().startsWith("except") || head.index() == 0) {
            return Optional.empty();
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
        return file.within(head).stream().skip(1).filter(each -> calls(each).stream().anyMatch(tried::contains))
                .findFirst();
    }

    private static Set<String> calls(Statement statement) {
        return CALL.matcher(statement.text()).results().map(call -> call.group(1)).collect(Collectors.toSet());
    }

    /**
     * What a function does that adds what it is given to something that outlives it, as a meter's or a buffer's does: whether it cuts
     * the graph off; nothing where it adds nothing.
     */
    static Optional<Boolean> keepsCut(PythonFile file, Statement function) {
        List<Statement> body = file.within(function).stream().skip(1).toList();
        Set<String> own = body.stream().flatMap(each -> each.targets().stream())
                .filter(name -> !name.startsWith("self.")).collect(Collectors.toSet());
        Set<String> given = Statement.words(function.text().substring(function.text().indexOf('(') + 1));
        Set<String> cut = new HashSet<>();
        for (Statement each : body) {
            Set<String> read = Statement.words(each.read());
            boolean ofCut = read.stream().anyMatch(cut::contains) || Fate.isCut(each);
            if (read.stream().noneMatch(given::contains)) {
                continue;
            }
            if (isAddedTo(each, own)) {
                return Optional.of(ofCut);
            }
            given.addAll(each.targets());
            if (ofCut) {
                cut.addAll(each.targets());
            }
        }
        return Optional.empty();
    }

    /** Whether a statement adds to what is no function's own. */
    private static boolean isAddedTo(Statement statement, Set<String> own) {
        Matcher adds = ADDS.matcher(statement.text());
        boolean called = adds.matches() && !own.contains(adds.group(1));
        boolean entry = statement.text().startsWith("self.")
                && (statement.isAugmented() || statement.text().matches("self\\.\\w+\\[[^=]*\\] = .*"));
        return called || entry;
    }

    /** Whether a function computes a loss of logarithms of probabilities, and calls no model for them itself. */
    static boolean isLoss(UserProgram program, PythonFile file, Statement function) {
        List<Statement> body = file.within(function).stream().skip(1).toList();
        return body.stream().anyMatch(each -> OF_LOGITS.matcher(each.text()).find()) && body.stream()
                .noneMatch(each -> program.runsBackward(each) || program.callsModel(each))
                && !isAttention(file, function);
    }

    static boolean isProduct(Statement statement) {
        return PRODUCT.matcher(statement.text()).find();
    }

    /** Whether a function multiplies queries with keys and takes the softmax of the scores. */
    static boolean isAttention(PythonFile file, Statement function) {
        List<Statement> body = file.within(function);
        String text = body.stream().map(Statement::text).collect(Collectors.joining("\n"));
        return text.contains("softmax") && PRODUCT.matcher(text).find() && !LOSS.matcher(text).find();
    }
}
