package io.vramlab.kernel.internal.eval;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a stack trace that is the user's: frames of cells, of libraries, and of what these called of the JDK. Left
 * out are VramLab's own frames, with what they called of the JDK, wherever they stand: above the user's, as in a matrix
 * product that was interrupted, between them, as when a module calls the user's {@code forward}, and below, where the
 * kernel calls the cell.
 *
 * @param frames
 *            what is left, the innermost first; when the error was thrown inside VramLab and a cell called it, from the
 *            cell's line on
 * @param insideVramLab
 *            whether it was VramLab's code that threw, or the JDK's on its behalf, and not where that stands in for the user's
 * @param place
 *            where the trace stands, in words: a frame, or the method of VramLab that the user called
 */
record UserFrames(StackTraceElement[] frames, boolean insideVramLab, String place) {

    /** How the names of VramLab's classes begin. */
    static final String OWN = "io.vramlab.";

    private static final Set<String> LOADERS = Set.of(CellLoader.class.getName(), PieceLoader.class.getName(),
            SnippetLoader.class.getName());
    private static final Pattern CELL = Pattern.compile("In \\[(\\d{1,9})]");

    static UserFrames of(StackTraceElement[] trace) {
        List<StackTraceElement> users = new ArrayList<>();
        boolean inside = false;
        boolean blamed = false;
        String place = trace.length == 0 ? "unknown code" : "VramLab's own code";
        for (int i = trace.length - 1; i >= 0; i--) {
            StackTraceElement frame = trace[i];
            boolean own = cellOf(frame) == 0 && frame.getClassName().startsWith(OWN);
            blamed = own && !standsIn(frame) || inside && blamed && (own || isOfTheJdk(frame));
            if (own && !inside && !users.isEmpty()) {
                String type = nameable(frame.getClassName());
                place = type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + "." + frame.getMethodName();
            }
            inside = own || inside && isOfTheJdk(frame);
            if (!inside) {
                place = cellOf(frame) > 0
                        ? frame.getFileName() + ", line " + frame.getLineNumber()
                        : frame.toString();
                if (!onlyPassesOn(frame)) {
                    users.add(frame);
                }
            }
        }
        Collections.reverse(users);
        int first = 0;
        while (inside && first < users.size() && cellOf(users.get(first)) == 0) {
            first++;
        }
        boolean called = first < users.size();
        return new UserFrames(users.subList(called ? first : 0, users.size()).toArray(StackTraceElement[]::new), blamed,
                place);
    }

    /** A class that nobody can name lends its static methods to the one that inherits it, which it says where it is sealed. */
    private static String nameable(String type) {
        try {
            Class<?> home = Class.forName(type, false, UserFrames.class.getClassLoader());
            while (!Modifier.isPublic(home.getModifiers()) && home.isSealed()) {
                home = home.getPermittedSubclasses()[0];
            }
            return Modifier.isPublic(home.getModifiers()) ? home.getName() : type;
        } catch (ClassNotFoundException | LinkageError elsewhere) {
            return type;
        }
    }

    /** The number of the cell that a frame is of; 0 if it is of none. */
    static int cellOf(StackTraceElement frame) {
        if (frame.getFileName() == null) {
            return 0;
        }
        Matcher matcher = CELL.matcher(frame.getFileName());
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** Whether a cell's code is among the frames. */
    boolean ofCells() {
        for (StackTraceElement frame : frames) {
            if (cellOf(frame) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether VramLab's code does here what the user's says: weavers put calls in the place of what Java does by itself, such
     * as to store into an array, and classes that cells name are looked for by our loaders.
     */
    private static boolean standsIn(StackTraceElement frame) {
        String type = frame.getClassName();
        return LOADERS.contains(type) || CellWeavers.standsIn(type);
    }

    private static boolean isOfTheJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    /** A call of a user's method that goes through its snippet's holder. */
    private static boolean onlyPassesOn(StackTraceElement frame) {
        return frame.getFileName() == null && frame.getClassName().startsWith(Wrappers.PACKAGE);
    }
}
