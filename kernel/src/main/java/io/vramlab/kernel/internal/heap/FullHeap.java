package io.vramlab.kernel.internal.heap;

import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.cell.SpareMemory;
import io.vramlab.kernel.internal.eval.CellSources;
import io.vramlab.kernel.internal.eval.Interpreter;
import io.vramlab.kernel.internal.eval.ShownError;
import io.vramlab.kernel.spi.Holder;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Makes room on the heap for the next cell. Used by the shell's thread, while no cell runs. */
public final class FullHeap {

    private static final long LEAST_BYTES = 16L << 20;
    private static final long MOST_BYTES = 64L << 20;
    private static final int SHARE = 8;
    /** A value of less is not worth the taking. */
    private static final long LIGHT_BYTES = 64 << 10;
    private static final int PATIENCE = 20;
    private static final int DEPTH = 100;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final double MIB = 1 << 20;

    /** Only rehearsed with. */
    private static Object written = "";

    private final Interpreter java;

    /** For the variables of a session. */
    public FullHeap(Interpreter java) {
        this.java = java;
    }

    /** Loads and links what will be needed when there is no memory to do so: a class that cannot be then never can be. */
    public static void rehearse() {
        SpareMemory.rehearse();
        caused(new OutOfMemoryError());
        SpareMemory.hasRoom(1);
        Weight.of(List.of(new Object[]{new long[1], "", Map.of(1, 2), new Candidate("", false, 0)}));
        sorted(List.of(new Candidate("", true, 1), new Candidate("", false, 2)));
        names("code", "name");
        rehearseFields();
        told(1, List.of("nothing"), true);
        ShownError.of(new OutOfMemoryError("rehearsed"), new CellSources()).explained("");
    }

    /** A variable is a static field: the first that is read and the first that is written generate classes of the JDK's. */
    private static void rehearseFields() {
        try {
            Field field = FullHeap.class.getDeclaredField("written");
            field.setAccessible(true);
            field.set(null, field.get(null));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the kernel needs to compile and run a cell, in bytes. */
    static long needed() {
        return Math.clamp(Runtime.getRuntime().maxMemory() / SHARE, LEAST_BYTES, MOST_BYTES);
    }

    /** Whether the end of the heap ended a cell. */
    public static boolean caused(Throwable error) {
        Throwable each = error;
        // no exception of a cell's own class is asked: its getCause() may never end
        for (int depth = 0; each != null && depth < DEPTH && !isOfACell(each); depth++) {
            if (each.getClass() == OutOfMemoryError.class) {
                return true;
            }
            try {
                each = each.getCause();
            } catch (RuntimeException | Error e) {
                return false;
            }
        }
        return false;
    }

    /** Whether what an error's methods do is a cell's own code. */
    public static boolean isOfACell(Throwable error) {
        return error.getClass().getName().startsWith("REPL.");
    }

    /**
     * Makes room, and sets memory aside again.
     *
     * @param run
     *            the cell that met the end of the heap
     * @param code
     *            its text
     * @return what is true now and what to do about it
     */
    public String makeRoom(CellRun run, String code) {
        long used = used();
        boolean room = SpareMemory.hasRoom(needed());
        List<String> taken = new ArrayList<>();
        if (!room && run.threads().activeCount() > 1) {
            taken.add("the threads that the cell had started were told to end");
            run.stopThreads();
            room = waitForRoom();
        }
        if (!room && run.threads().activeCount() <= 1) {
            // nothing of the cell is left to take it; without it, each thing made below may collect the whole heap first
            SpareMemory.releaseLast();
        }
        if (!room) {
            List<String> classes = java.forgetFailedClasses();
            if (!classes.isEmpty()) {
                taken.add("the class %s, whose static initializer had failed, was forgotten"
                        .formatted(String.join(", ", classes)));
                room = SpareMemory.hasRoom(needed());
            }
        }
        Set<String> emptied = new LinkedHashSet<>();
        room = room || empty(run, code, emptied);
        if (!emptied.isEmpty()) {
            taken.add((emptied.size() == 1 ? "%s was set to null" : "%s were set to null")
                    .formatted(String.join(", ", emptied)));
        }
        if (!room && run.stopOtherThreads()) {
            taken.add("the threads that earlier cells had left were told to end");
            room = waitForRoom();
        }
        java.beginAnew();
        SpareMemory.keep();
        return told(used, taken, room);
    }

    private static String told(long used, List<String> taken, boolean room) {
        long most = Runtime.getRuntime().maxMemory();
        String fact = String.format(Locale.ROOT,
                "The Java heap holds %,.1f MiB (%,d bytes) at most, and %,.1f MiB (%,d bytes) of it were in use.",
                most / MIB, most, used / MIB, used);
        String measures = taken.isEmpty()
                ? " All variables are kept."
                : " So that the kernel can go on, " + String.join("; ", taken) + "; all else is kept.";
        String advice = room
                ? " Keep less at a time, or start the kernel with a larger heap: JDK_JAVA_OPTIONS=-Xmx8g in its environment."
                : " It is still full: restart the kernel, with a larger heap if need be (JDK_JAVA_OPTIONS=-Xmx8g in its environment).";
        return fact + measures + advice;
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static boolean waitForRoom() {
        boolean room = SpareMemory.hasRoom(needed());
        for (int i = 0; i < PATIENCE && !room; i++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            room = SpareMemory.hasRoom(needed());
        }
        return room;
    }

    /** Empties one after the other until there is room. */
    private boolean empty(CellRun run, String code, Set<String> emptied) {
        List<Holder> all = new ArrayList<>(java.holders());
        all.addAll(java.staticFields());
        List<Candidate> order = new ArrayList<>();
        for (Holder each : all) {
            long weight = Weight.of(each.value());
            if (weight >= LIGHT_BYTES) {
                boolean own = each.cell() == run.number() || names(code, each.variable());
                order.add(new Candidate(each.variable(), own, weight));
            }
        }
        // nothing here may keep alive what it is to free
        all.clear();
        for (Candidate each : sorted(order)) {
            if (java.empty(each.name())) {
                emptied.add(each.name());
                if (SpareMemory.hasRoom(needed())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<Candidate> sorted(List<Candidate> all) {
        List<Candidate> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(Candidate::own).thenComparing(Candidate::weight).reversed());
        return sorted;
    }

    private static boolean names(String code, String variable) {
        return Pattern.compile("(?<![\\w$])" + Pattern.quote(variable) + "(?![\\w$])").matcher(code).find();
    }

    private record Candidate(String name, boolean own, long weight) {
    }
}
