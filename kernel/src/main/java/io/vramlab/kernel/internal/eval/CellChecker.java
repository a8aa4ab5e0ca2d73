package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.internal.eval.Part.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Looks at a cell as a whole, before any of it runs: whether it compiles, and whether its declarations are such that they
 * can run as the compiler made them, and JShell be told later.
 */
final class CellChecker {

    private static final Set<String> METHODS_OF_OBJECT = Arrays.stream(Object.class.getMethods())
            .map(each -> each.getName()).collect(Collectors.toSet());

    private final ImportsInForce imports;
    private final BooleanSupplier waiting;
    private final Predicate<String> isLoaded;

    /**
     * A checker.
     *
     * @param waiting
     *            whether declarations of earlier cells wait for others
     * @param isLoaded
     *            whether there is a class of that name
     */
    CellChecker(ImportsInForce imports, BooleanSupplier waiting, Predicate<String> isLoaded) {
        this.imports = imports;
        this.waiting = waiting;
        this.isLoaded = isLoaded;
    }

    /**
     * What came of looking.
     *
     * @param outcome
     *            what the compiler says
     * @param pieces
     *            the pieces in the order in which they shall run
     */
    record Checked(CellCompiler.Outcome outcome, List<Piece> pieces) {
    }

    /**
     * What the compiler says of the pieces.
     *
     * @param numbers
     *            gives declarations the numbers of their classes, where they may run at once
     */
    Checked check(Javac javac, List<Piece> pieces, Optional<Acceleration> numbers) {
        Optional<List<Part>> parsed = new CellParser(javac).parse(pieces);
        if (parsed.isEmpty()) {
            return new Checked(new CellCompiler.Unknown(), pieces);
        }
        if (numbers.isPresent() && parsed.get().size() == 1 && parsed.get().getFirst().kind() == Kind.VARIABLE
                && parsed.get().getFirst().names().stream().anyMatch(imports::declares)) {
            // nothing runs before it that a refusal would come too late for
            return new Checked(new CellCompiler.Unknown(), pieces);
        }
        List<Part> order = RunOrder.of(parsed.get());
        CellCompiler.Outcome outcome = isJudgeable(parsed.get())
                ? check(javac, parsed.get(), order, numbers)
                : new CellCompiler.Unknown();
        return new Checked(outcome, order.stream().map(Part::piece).toList());
    }

    private CellCompiler.Outcome check(Javac javac, List<Part> parts, List<Part> order,
            Optional<Acceleration> numbers) {
        Set<String> own = parts.stream().flatMap(each -> each.names().stream()).collect(Collectors.toSet());
        String source = parts.stream().map(Part::code).collect(Collectors.joining("\n"));
        Map<Part, Accelerator.Declaration> reserved = new HashMap<>();
        Map<Part, String> wrappers = numbers.isPresent() && mayRunAtOnce(order)
                ? reserve(parts, numbers.get(), reserved)
                : Map.of();
        CellCompiler.Outcome outcome = new CellCompiler.Unknown();
        try {
            outcome = new CellCompiler(javac, parts, order, imports.of(source, own), wrappers).compile();
        } finally {
            if (!(outcome instanceof CellCompiler.Compiled compiled && !compiled.classes().isEmpty())) {
                reserved.values().forEach(each -> numbers.orElseThrow().release(each));
            }
        }
        return outcome;
    }

    private Map<Part, String> reserve(List<Part> parts, Acceleration numbers,
            Map<Part, Accelerator.Declaration> reserved) {
        Map<Part, String> wrappers = new HashMap<>();
        for (Part each : parts) {
            if (CellCompiler.isDeclaration(each)) {
                Accelerator.Declaration declaration = new Accelerator.Declaration(switch (each.kind()) {
                    case TYPE -> Accelerator.Declared.TYPE;
                    case METHOD -> Accelerator.Declared.METHOD;
                    default -> Accelerator.Declared.VARIABLE;
                }, each.names().getFirst(), each.signature());
                Optional<String> wrapper = numbers.reserve(declaration).map(number -> "$JShell$" + number);
                // a class of that name may be in use that belonged to a declaration which was dropped since
                if (wrapper.isEmpty() || isLoaded.test(Wrappers.PACKAGE + wrapper.get())) {
                    return Map.of();
                }
                reserved.put(each, declaration);
                wrappers.put(each, wrapper.get());
            }
        }
        return wrappers;
    }

    /** Whether a complaint of the compiler would be one of JShell too, which takes one piece after the other. */
    private boolean isJudgeable(List<Part> parts) {
        Set<String> declared = new HashSet<>();
        Set<String> mentioned = new HashSet<>();
        for (Part each : parts) {
            for (String name : each.names()) {
                boolean known = each.kind() != Kind.IMPORT && imports.declares(name);
                if (!declared.add(name) || known && (mentioned.contains(name) || each.kind() == Kind.METHOD)) {
                    return false;
                }
            }
            mentioned.addAll(each.words());
        }
        return declared.isEmpty() || !waiting.getAsBoolean();
    }

    /** Whether each declaration is new, complete where it stands, and of a kind that JShell makes the same class for. */
    private boolean mayRunAtOnce(List<Part> parts) {
        Map<String, Integer> declaredBy = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            for (String name : parts.get(i).names()) {
                declaredBy.put(name, i);
            }
        }
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            int own = i;
            boolean early = part.words().stream().anyMatch(each -> declaredBy.getOrDefault(each, -1) > own);
            if (early || !part.plain() || part.names().stream().anyMatch(imports::declares)
                    || part.kind() == Kind.VARIABLE && part.variables().size() > 1
                    || part.kind() == Kind.METHOD && !isPlainMethod(part)
                    || part.kind() == Kind.IMPORT && part.code().contains("/")) {
                return false;
            }
        }
        return true;
    }

    /** JShell refuses methods named as those of Object, and reads the signature as it is written. */
    private static boolean isPlainMethod(Part part) {
        String head = part.code().substring(0, part.code().indexOf('{'));
        return !METHODS_OF_OBJECT.contains(part.names().getFirst()) && head.equals(Comments.blanked(head));
    }
}
