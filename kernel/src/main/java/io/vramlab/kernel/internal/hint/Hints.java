package io.vramlab.kernel.internal.hint;

import java.util.Optional;

/** Finds what to say about code that does not compile. */
public final class Hints {

    private final Missing missing;

    /** For a cell that can name these. */
    public Hints(Names names) {
        missing = new Missing(names);
    }

    /** One sentence that helps, if there is one. */
    public Optional<String> of(Complaint complaint) {
        Optional<Complaint.Missing> symbol = complaint.missing();
        if (symbol.isPresent()) {
            String name = symbol.get().name();
            return complaint.array().flatMap(array -> Arrays.hint(array, name))
                    .or(() -> CallArguments.named(complaint.line(), name))
                    .or(() -> Python.hint(complaint.line(), name))
                    .or(() -> of(symbol.get(), complaint));
        }
        Optional<Complaint.Operation> operation = complaint.operation();
        if (operation.isPresent()) {
            return operation.flatMap(each -> Operators.hint(each, missing::find));
        }
        Optional<String> call = CallArguments.of(complaint);
        if (call.isPresent()) {
            return call;
        }
        Optional<String> indexed = complaint.indexed();
        if (indexed.isPresent()) {
            return indexed.flatMap(missing::find).flatMap(missing::element);
        }
        if (complaint.joined()) {
            return Optional
                    .of("the line above has no ; and is read with this one: only the last expression of a cell needs"
                            + " none");
        }
        return complaint.syntax()
                ? Python.hint(complaint.line(), "")
                        .or(() -> complaint.code().lines().map(each -> Python.hint(each, "")).flatMap(Optional::stream)
                                .findFirst())
                : Optional.empty();
    }

    /**
     * The same for what a declaration waits for: {@code class GroupNorm}, {@code method late()}.
     *
     * @param code
     *            the declaration
     */
    public Optional<String> ofUnresolved(String thing, String code) {
        String name = thing.replaceFirst("\\(.*", "").replaceFirst("^.* ", "");
        return thing.startsWith("class ")
                ? missing.type(name)
                : thing.startsWith("method ") ? missing.function(name) : missing.variable(name, code);
    }

    private Optional<String> of(Complaint.Missing symbol, Complaint complaint) {
        String name = symbol.name();
        Optional<Class<?>> owner = complaint.owner().flatMap(missing::find);
        return switch (symbol.kind()) {
            case "class", "interface" -> missing.type(name);
            case "method" -> complaint.owner().isPresent()
                    ? owner.flatMap(each -> missing.member(each, name, true))
                    : missing.function(name);
            case "variable" -> complaint.owner().isPresent()
                    ? owner.flatMap(each -> missing.member(each, name, false))
                    : missing.variable(name, complaint.line());
            case "package" -> complaint.imported().isPresent()
                    ? complaint.imported().flatMap(missing::imported)
                    : missing.variable(name.replaceFirst("\\..*", ""), complaint.line());
            default -> Optional.empty();
        };
    }
}
