package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.internal.cell.StoppedError;
import io.vramlab.kernel.spi.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * An error as the user sees it.
 *
 * @param name
 *            what kind of error: the exception's class, {@code CompileError}, {@code Interrupted}
 * @param message
 *            what it says
 * @param lines
 *            the whole text
 */
public record ShownError(String name, String message, List<String> lines) {

    private static final Logger LOG = Logger.getLogger(ShownError.class.getName());
    private static final Pattern GENERATED = Pattern.compile("REPL\\.\\$(?:JShell|Code)\\$\\w+[$.]");
    private static final String RED = "\u001b[31m";
    private static final String UNRESOLVED = "UnresolvedReference";
    private static final String PLAIN = "\u001b[0m";
    private static final int MESSAGE_CHARS = 10_000;
    private static final int CAUSES = 30;
    private static final String NO_CONSOLE = "\"java.lang.System.console()\" is null";
    private static final String CONSOLE_HINT = "Hint: a notebook has no console. input(\"name? \") asks for a line, password(\"key? \") for one"
            + " that is not shown; System.in and IO.readln ask too";
    private static final StackTraceElement[] NO_FRAMES = {};
    /** One mistake in the syntax has the compiler complain of much that follows. */
    private static final int MOST_PROBLEMS = 5;
    private static final int CELL_FRAMES = 12;
    private static final int LIBRARY_FRAMES = 3;
    private static final int REPEATED_FRAMES = 2;

    /** Describes what ended a cell. */
    public static ShownError of(Throwable error, CellSources sources) {
        return switch (error) {
            case CompileException e -> compileError(e, sources);
            case UserCodeException e when e.getCause() instanceof Error || e.getCause() instanceof Exception ->
                of(e.getCause(), e.getMessage(), sources);
            default -> of(error, null, sources);
        };
    }

    /** An error of which nothing can be asked but its class. */
    public static ShownError unasked(Throwable error) {
        return told(nameOf(error),
                "nothing more can be told of it: its getMessage(), getCause() or getStackTrace() was interrupted or failed");
    }

    /** The same with more to say about it. */
    public ShownError explained(String text) {
        List<String> all = new ArrayList<>(lines);
        all.add(text);
        return new ShownError(name, message.isEmpty() ? text : message + ". " + text, all);
    }

    private static ShownError of(Throwable error, String explanation, CellSources sources) {
        return switch (error) {
            case UsageException e -> told("UsageException", e.getMessage());
            case StoppedError e -> interrupted(e, sources);
            case ExitRefusedError e -> told("SystemExit", e.getMessage());
            case CellThread.StuckException e -> stuck(e, sources);
            default -> exception(error, explanation, sources);
        };
    }

    private static ShownError told(String name, String message) {
        String text = message == null ? name : message;
        return new ShownError(name, text, List.of(RED + name + PLAIN + ": " + text));
    }

    private static ShownError interrupted(StoppedError error, CellSources sources) {
        String message = "the cell was interrupted; its variables are kept";
        List<String> lines = new ArrayList<>(told("Interrupted", message).lines());
        UserFrames trace = UserFrames.of(error.getStackTrace());
        if (trace.ofCells()) {
            lines.addAll(frames(trace.frames(), sources));
        }
        return new ShownError("Interrupted", message, lines);
    }

    /** What the compiler says of a line after a mistake with a hint follows from that mistake, unless it has a hint of its own. */
    private static ShownError compileError(CompileException error, CellSources sources) {
        List<String> lines = new ArrayList<>();
        List<CompileException.Problem> problems = error.problems().stream()
                .filter(each -> !each.hint().isEmpty() || error.problems().stream().takeWhile(other -> other != each)
                        .noneMatch(before -> before.line() == each.line() && !before.hint().isEmpty()))
                .toList();
        for (CompileException.Problem problem : problems.subList(0, Math.min(MOST_PROBLEMS, problems.size()))) {
            lines.add("%sCompileError%s: In [%d], line %d: %s".formatted(RED, PLAIN, error.cell(), problem.line(),
                    problem.message()));
            String source = sources.line(error.cell(), problem.line());
            if (!source.isEmpty()) {
                String margin = "%5d | ".formatted(problem.line());
                String indent = source.substring(0, Math.min(problem.column(), source.length())).replaceAll("[^\t]",
                        " ");
                lines.add(margin + source);
                lines.add(" ".repeat(margin.length() - 2) + "| " + indent + RED + "^".repeat(Math.max(1,
                        Math.min(problem.length(), source.length() - problem.column()))) + PLAIN);
            }
            if (!problem.hint().isEmpty()) {
                lines.add("Hint: " + problem.hint());
            }
        }
        int more = problems.size() - MOST_PROBLEMS;
        if (more > 0) {
            lines.add("... and %d more error%s, which may follow from these".formatted(more, more == 1 ? "" : "s"));
        }
        return new ShownError("CompileError", error.getMessage(), lines);
    }

    private static ShownError stuck(CellThread.StuckException error, CellSources sources) {
        UserFrames trace = UserFrames.of(error.where());
        String message = ("the cell does not react to interrupts: it is in %s. It was left behind and ends when that "
                + "call returns; restart the kernel to end it now").formatted(trace.place());
        List<String> lines = new ArrayList<>(told("Interrupted", message).lines());
        lines.addAll(frames(trace.frames(), sources));
        return new ShownError("Interrupted", message, lines);
    }

    private static ShownError exception(Throwable error, String explanation, CellSources sources) {
        List<String> lines = new ArrayList<>();
        String message = explanation != null ? explanation : messageOf(error);
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        String prefix = "";
        for (Throwable each = error; each != null && seen.size() < CAUSES && seen.add(each); each = causeOf(each)) {
            String text = each == error ? message : messageOf(each);
            String name = each == error && explanation != null ? UNRESOLVED : nameOf(each);
            lines.add(prefix + RED + name + PLAIN + (text.isEmpty() ? "" : ": " + text));
            UserFrames trace = UserFrames.of(traceOf(each));
            if (each == error && trace.insideVramLab() && !explains(each)) {
                LOG.log(Level.WARNING, "an error of VramLab's own ended a cell", each);
                lines.add("    inside VramLab (" + (each instanceof NullPointerException
                        ? "something that was given to it is null, or this is a defect of ours"
                        : "this is a defect of ours") + "; the whole trace is in the kernel's log)");
            }
            lines.addAll(frames(trace.frames(), sources));
            prefix = "Caused by: ";
        }
        if (error instanceof NullPointerException && message.contains(NO_CONSOLE)) {
            lines.add(CONSOLE_HINT);
        }
        return new ShownError(explanation == null ? nameOf(error) : UNRESOLVED, message, lines);
    }

    /**
     * Whether an error that VramLab threw says all there is to say: its own kinds, what it refuses in its own words, a
     * file that cannot be read or written, and a machine that has no more to give. The others are defects.
     */
    private static boolean explains(Throwable error) {
        boolean refused = error instanceof IllegalArgumentException || error instanceof IllegalStateException
                || error instanceof UnsupportedOperationException || error instanceof NoSuchElementException;
        StackTraceElement[] trace = traceOf(error);
        return error.getClass().getName().startsWith(UserFrames.OWN) || error instanceof VirtualMachineError
                || error instanceof IOException || error instanceof UncheckedIOException
                || refused && trace.length > 0 && trace[0].getClassName().startsWith(UserFrames.OWN);
    }

    private static Throwable causeOf(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable e) {
            return null;
        }
    }

    /** The frames of an error whose class may be a user's, and its methods anything. */
    private static StackTraceElement[] traceOf(Throwable error) {
        try {
            StackTraceElement[] trace = error.getStackTrace();
            return trace == null
                    ? NO_FRAMES
                    : Arrays.stream(trace).filter(ShownError::isTold).toArray(StackTraceElement[]::new);
        } catch (Throwable e) {
            return NO_FRAMES;
        }
    }

    private static boolean isTold(StackTraceElement frame) {
        return frame != null && isName(frame.getClassName()) && isName(frame.getMethodName())
                && (frame.getFileName() == null || isName(frame.getFileName()));
    }

    private static boolean isName(String name) {
        return name != null && name.length() <= MESSAGE_CHARS;
    }

    /** What an error says, shortened, whatever its {@code getMessage} does; empty if it says nothing. */
    public static String messageOf(Throwable error) {
        try {
            String message = error.getLocalizedMessage();
            return message == null ? "" : clean(cut(message));
        } catch (Throwable e) {
            return "(its getMessage() threw " + e.getClass().getName() + ")";
        }
    }

    private static String cut(String message) {
        return message.length() <= MESSAGE_CHARS
                ? message
                : message.substring(0, MESSAGE_CHARS) + "… (%d characters in all)".formatted(message.length());
    }

    private static String nameOf(Throwable error) {
        return clean(error.getClass().getName());
    }

    private static String clean(String text) {
        return GENERATED.matcher(text).replaceAll("");
    }

    /** The frames of cells with their source lines; of what they called only the nearest few; recursion folded. */
    private static List<String> frames(StackTraceElement[] trace, CellSources sources) {
        int end = trace.length;
        while (end > 0 && UserFrames.cellOf(trace[end - 1]) == 0) {
            end--;
        }
        List<String> lines = new ArrayList<>();
        Map<StackTraceElement, Integer> times = new HashMap<>();
        String latest = "";
        int library = 0;
        int repeated = 0;
        for (int i = 0; i < end; i++) {
            int cell = UserFrames.cellOf(trace[i]);
            if (cell != 0 && trace[i].getLineNumber() < 0) {
                times.merge(trace[i], 1, Integer::sum);
                continue; // made by a weaver of cells, between two lines of the user's
            }
            if (cell == 0) {
                if (library++ < LIBRARY_FRAMES && times.isEmpty()) {
                    lines.add("    at " + trace[i]);
                }
            } else if (times.merge(trace[i], 1, Integer::sum) > REPEATED_FRAMES) {
                repeated++;
            } else {
                fold(lines, library - (times.size() == 1 ? Math.min(library, LIBRARY_FRAMES) : 0), "library");
                fold(lines, repeated, "repeated");
                library = 0;
                repeated = 0;
                if (times.size() > CELL_FRAMES) {
                    fold(lines, end - i, "more");
                    break;
                }
                String place = "    at " + place(trace[i], cell);
                if (place.equals(latest)) {
                    continue; // a variable's initialiser is a method of its own, called on the same line
                }
                latest = place;
                lines.add(place);
                String source = sources.line(cell, trace[i].getLineNumber());
                if (!source.isBlank()) {
                    lines.add("%9d | %s".formatted(trace[i].getLineNumber(), source));
                }
            }
        }
        fold(lines, repeated, "repeated");
        for (int i = 0; end == 0 && i < Math.min(trace.length, LIBRARY_FRAMES); i++) {
            lines.add("    at " + trace[i]);
        }
        return lines;
    }

    private static void fold(List<String> lines, int hidden, String kind) {
        if (hidden > 0) {
            lines.add("    ... %d %s frame%s".formatted(hidden, kind, hidden == 1 ? "" : "s"));
        }
    }

    private static String place(StackTraceElement frame, int cell) {
        String where = "In [%d], line %d".formatted(cell, frame.getLineNumber());
        String method = frame.getMethodName();
        if (method.startsWith("do_it$") || method.startsWith("lambda$do_it$")) {
            return where;
        }
        String owner = clean(frame.getClassName() + ".");
        return "%s%s (%s)".formatted(owner, method, where);
    }
}
