package io.vramlab.kernel.judge;

import com.google.gson.reflect.TypeToken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import jdk.jshell.VarSnippet;

/**
 * Runs cells in the JDK's JShell. Where that gives a variable back its default because something else was declared again, its
 * value is put back; where that cannot be done the variable is {@link #RESET}, which is never compared.
 */
final class StockMain {

    /** Stands for the value of a variable that JShell alone has forgotten. */
    static final String RESET = "reset";

    private final StockControl control = new StockControl();
    private final JShell shell = JShell.builder().executionEngine(control, Map.of()).build();
    private final Set<String> reset = new HashSet<>();

    public static void main(String[] arguments) throws Exception {
        List<List<String>> sequences = ChildProcess.asked(arguments, new TypeToken<List<List<String>>>() {
        }.getType());
        List<List<Seen>> all = new ArrayList<>();
        for (List<String> each : sequences) {
            all.add(new StockMain().run(each));
        }
        ChildProcess.answer(arguments, all);
        System.exit(0);
    }

    private List<Seen> run(List<String> cells) {
        List<Seen> seen = new ArrayList<>();
        Imports.ALL.forEach(shell::eval);
        try (Captured captured = new Captured(); shell) {
            for (String each : cells) {
                Object[] value = new Object[1];
                boolean[] shows = new boolean[1];
                String thrown = evaluate(each, value, shows);
                seen.add(new Seen(captured.take(), shows[0] ? Show.value(value[0]) : null, thrown, variables()));
            }
        }
        return seen;
    }

    private String evaluate(String cell, Object[] value, boolean[] shows) {
        String rest = cell;
        while (!rest.isBlank()) {
            CompletionInfo info = shell.sourceCodeAnalysis().analyzeCompletion(rest);
            String source = info.source() == null ? rest : info.source();
            Map<String, Object> before = values();
            control.clear();
            List<SnippetEvent> events = shell.eval(source);
            Object last = control.value();
            Throwable thrown = control.thrown();
            restore(events, before);
            SnippetEvent own = events.stream().filter(each -> each.causeSnippet() == null).findFirst().orElseThrow();
            if (own.status() == Status.REJECTED
                    || own.snippet() instanceof VarSnippet && own.status() == Status.RECOVERABLE_NOT_DEFINED) {
                return Session.REFUSED;
            }
            if (thrown != null) {
                return Show.thrown(thrown);
            }
            rest = info.remaining() == null ? "" : info.remaining();
            Snippet snippet = own.snippet();
            shows[0] = rest.isBlank() && !cell.stripTrailing().endsWith(";")
                    && (snippet.kind() == Snippet.Kind.EXPRESSION
                            || snippet.subKind() == Snippet.SubKind.TEMP_VAR_EXPRESSION_SUBKIND);
            value[0] = last;
        }
        return null;
    }

    private void restore(List<SnippetEvent> events, Map<String, Object> before) {
        for (SnippetEvent each : events) {
            if (each.snippet() instanceof VarSnippet variable) {
                String name = variable.name();
                if (each.causeSnippet() == null) {
                    reset.remove(name);
                } else if (each.status() != Status.OVERWRITTEN) {
                    boolean function = "lambda".equals(Show.value(before.get(name)));
                    boolean kept = each.status().isDefined() && !function && before.containsKey(name)
                            && control.set(shell, variable, before.get(name));
                    if (!kept) {
                        reset.add(name);
                    }
                }
            }
        }
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new HashMap<>();
        shell.variables().filter(each -> shell.status(each).isDefined())
                .forEach(each -> values.put(each.name(), control.get(shell, each)));
        return values;
    }

    private Map<String, String> variables() {
        Map<String, String> all = new TreeMap<>();
        shell.variables().filter(each -> shell.status(each).isDefined() && !each.name().startsWith("$"))
                .forEach(each -> all.put(each.name(), reset.contains(each.name())
                        ? RESET
                        : Show.type(each.typeName()) + " " + Show.value(control.get(shell, each))));
        reset.forEach(each -> all.put(each, RESET));
        return all;
    }
}
