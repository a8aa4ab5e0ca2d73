package io.vramlab.kernel.internal.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.VarSnippet;

/** Takes in the classes that JShell has made; variables that they replace keep their values, but for those of a type that is another now. */
final class FreshClasses {

    private static final Pattern WRAPPER = Pattern.compile("REPL\\.\\$JShell\\$\\w+");

    private final CellLoader loader;
    private final VariableFields values;
    private final SnippetOrigins origins;
    private final Consumer<String> notes;
    /** Variables whose values could not be kept. */
    private final List<String> stranded = new ArrayList<>();

    /**
     * None yet.
     *
     * @param loader
     *            defines the classes
     * @param values
     *            what the variables hold
     * @param origins
     *            which cell a class comes from
     * @param notes
     *            takes remarks for the user that are no errors
     */
    FreshClasses(CellLoader loader, VariableFields values, SnippetOrigins origins, Consumer<String> notes) {
        this.loader = loader;
        this.values = values;
        this.origins = origins;
        this.notes = notes;
    }

    /** Takes in those that were made since the last time. */
    void adopt() {
        for (String name : loader.takeFresh()) {
            if (WRAPPER.matcher(name).matches()) {
                try {
                    Class<?> generated = loader.loadClass(name);
                    stranded.addAll(values.adopt(generated, origins.cell(name)));
                } catch (ClassNotFoundException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** These cannot keep their values either. */
    void stranded(List<String> names) {
        stranded.addAll(names);
    }

    /** Tells which variables a declaration, of which these events came, has stranded. */
    void tellStranded(List<SnippetEvent> events) {
        List<String> lost = stranded.stream().distinct().filter(name -> events.stream()
                .anyMatch(event -> event.causeSnippet() != null && event.status() != Status.OVERWRITTEN
                        && event.snippet() instanceof VarSnippet variable
                        && variable.name().equals(name)))
                .toList();
        stranded.clear();
        if (!lost.isEmpty()) {
            String cause = events.stream().map(SnippetEvent::snippet).filter(TypeDeclSnippet.class::isInstance)
                    .map(type -> ((TypeDeclSnippet) type).name()).findFirst().orElse("a type");
            notes.accept(
                    ("%s was declared again: %s held objects of the former %s and cannot be kept. Run the cells that "
                            + "make %s again.%n").formatted(cause, String.join(", ", lost), cause,
                                    lost.size() == 1 ? "it" : "them"));
        }
    }
}
