package io.vramlab.memory;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Finds the user's frames on the current thread's stack, at every allocation if need be. Frames are recognised by class
 * and byte-code index: asking one for its file and line is what costs, and is done once for each place in the user's code.
 * The walk ends at the frame of a cell itself, below which lies only the kernel, and asks the JVM for as many frames at a
 * time as were needed lately.
 */
final class UserFrames {

    /**
     * A place in code that is not VramLab's or the JDK's. Compared by identity.
     *
     * @param inCell
     *            its file is a notebook's cell
     * @param isCell
     *            it is a statement of a cell and in no method: JShell puts these into a method named do_it$
     */
    static final class Place {

        final Frame frame;
        final boolean inCell;
        final boolean isCell;
        /** The id of the stack of this frame alone; 0 before it was asked for. */
        volatile int site;

        Place(final StackWalker.StackFrame frame) {
            final String file = frame.getFileName();
            inCell = file != null && file.startsWith("In [");
            isCell = inCell && frame.getMethodName().startsWith("do_it$");
            this.frame = new Frame(file == null ? frame.getClassName() : file, Math.max(0, frame.getLineNumber()),
                    isCell ? Frame.CELL : frame.getMethodName());
        }
    }

    private record Position(int byteCode, String method) {
    }

    /** A class that is not VramLab's or the JDK's: a class lies in a cell as a whole or not at all. */
    private static final class Owner {

        private final Map<Position, Place> places = new ConcurrentHashMap<>();
        /** The only method there is in most statements' classes, which need not be asked for then; else null. */
        private volatile String onlyMethod;
        private volatile boolean outOfCells;
        private volatile int generation;

        Place place(final StackWalker.StackFrame frame) {
            if (generation != UserFrames.generation) {
                places.clear();
                generation = UserFrames.generation;
            }
            final String only = onlyMethod;
            final Position position = new Position(frame.getByteCodeIndex(),
                    only == null ? frame.getMethodName() : only);
            final Place known = places.get(position);
            return known != null ? known : places.computeIfAbsent(position, p -> {
                final Place place = new Place(frame);
                outOfCells = !place.inCell;
                if (place.isCell) {
                    onlyMethod = onlyMethod(frame.getDeclaringClass());
                }
                return place;
            });
        }

        /** Asked of classes of statements alone: it loads the types of a class's parameters, which is theirs to time. */
        private static String onlyMethod(final Class<?> type) {
            try {
                final Method[] methods = type.getDeclaredMethods();
                return methods.length == 1 ? methods[0].getName() : null;
            } catch (final LinkageError missing) {
                // a type that the code has not needed yet is not there: the method is asked for each time
                return null;
            }
        }
    }

    /** What is known of a class; null for those whose frames are not the user's. */
    private static final ClassValue<Owner> OWNERS = new ClassValue<>() {
        @Override
        protected Owner computeValue(final Class<?> type) {
            return isOurs(type.getName()) ? null : new Owner();
        }
    };

    /** Counts the cells: when a declaration is repeated, the kernel keeps its class and gives it the new cell's lines. */
    private static volatile int generation;

    /** More frames are not looked at in search of a cell's. */
    static final int FURTHEST = 128;

    private static final int DEEPEST_USUAL = 40;
    private static final StackWalker[] WALKERS = new StackWalker[DEEPEST_USUAL + 1];
    /** Every so many walks the estimate may fall. */
    private static final int PATIENCE = 64;

    static {
        for (int depth = 1; depth <= DEEPEST_USUAL; depth++) {
            WALKERS[depth] = StackWalker.getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE), depth);
        }
    }

    /** Walks of one sort; the estimates of threads may overwrite each other, which costs nothing but time. */
    private static final UserFrames WHOLE = new UserFrames();
    private static final UserFrames INNERMOST = new UserFrames();

    private int estimate = 12;
    private int deepest;
    private int walks;

    private UserFrames() {
    }

    /** Another cell begins: what is known of lines may no longer be so. Called before its code runs, by one thread. */
    static void nextCell() {
        generation++;
    }

    /** A walker for {@link #whole}. Callers call it themselves: each frame between them and the JVM costs. */
    static StackWalker forWhole() {
        return WALKERS[WHOLE.estimate];
    }

    /** A walker for {@link #innermost}. */
    static StackWalker forInnermost() {
        return WALKERS[INNERMOST.estimate];
    }

    /**
     * The user's frames, innermost first: those in cells or, when there are none, all others. Neither more than
     * {@link CallSites#DEPTH} in cells nor more than {@value #FURTHEST} in search of one are looked at: what a walk costs
     * does not grow with the depth of a recursion.
     */
    static List<Place> whole(final Stream<StackWalker.StackFrame> frames) {
        final List<Place> found = new ArrayList<>(4);
        boolean cells = false;
        int depth = 0;
        for (final Iterator<StackWalker.StackFrame> all = frames.iterator(); depth < FURTHEST && all.hasNext();) {
            depth++;
            final Place place = place(all.next(), cells || found.size() == CallSites.DEPTH);
            if (place == null) {
                continue;
            }
            if (place.inCell && !cells) {
                found.clear();
                cells = true;
            }
            if (place.inCell == cells && found.size() < CallSites.DEPTH) {
                found.add(place);
            }
            if (place.isCell || cells && found.size() == CallSites.DEPTH) {
                break;
            }
        }
        WHOLE.learn(depth);
        return found;
    }

    /**
     * The innermost that lies in a cell or, when there is none within {@value #FURTHEST} frames, the innermost that is the
     * user's; null without one.
     */
    static Place innermost(final Stream<StackWalker.StackFrame> frames) {
        Place other = null;
        int depth = 0;
        for (final Iterator<StackWalker.StackFrame> all = frames.iterator(); depth < FURTHEST && all.hasNext();) {
            depth++;
            final Place place = place(all.next(), other != null);
            if (place != null && place.inCell) {
                other = place;
                break;
            }
            other = other == null ? place : other;
        }
        INNERMOST.learn(depth);
        return other;
    }

    /** The place of a frame of the user's; null for others, and for those out of cells when these are of no interest. */
    private static Place place(final StackWalker.StackFrame frame, final boolean onlyInCells) {
        final Class<?> type = frame.getDeclaringClass();
        final Owner owner = type.getClassLoader() == null ? null : OWNERS.get(type);
        return owner == null || onlyInCells && owner.outOfCells ? null : owner.place(frame);
    }

    private void learn(final int depth) {
        deepest = Math.max(deepest, depth);
        walks++;
        if (depth > estimate || walks >= PATIENCE) {
            estimate = Math.min(deepest, DEEPEST_USUAL);
            deepest = depth;
            walks = 0;
        }
    }

    private static boolean isOurs(final String type) {
        return type.startsWith("io.vramlab.") || type.startsWith("java.") || type.startsWith("jdk.")
                || type.startsWith("javax.") || type.startsWith("sun.") || type.startsWith("com.sun.");
    }
}
