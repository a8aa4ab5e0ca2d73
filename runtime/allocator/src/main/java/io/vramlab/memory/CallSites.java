package io.vramlab.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where in the user's code something happened. Stacks are interned: equal ones share one id, and a history entry keeps
 * four bytes.
 *
 * <p>
 * A user's frame is one whose file is a notebook cell ("In [7]"); on a stack without any, one outside VramLab and the
 * JDK. A stack ends with the frame of the cell that runs, or after {@value #DEPTH} frames: an event costs the same however
 * deep a recursion is.
 */
public final class CallSites {

    /** More frames of a stack are not kept. */
    static final int DEPTH = 16;

    private static final Map<List<Frame>, Integer> IDS = new HashMap<>();
    private static final List<List<Frame>> SITES = new ArrayList<>(List.of(List.<Frame>of()));

    /** The cell that runs and the ids of the stacks seen in it; a stack's frames are named after the cell. */
    private record Run(String cell, Map<List<UserFrames.Place>, Integer> known) {
    }

    private static volatile Run run = new Run("", new ConcurrentHashMap<>());

    private CallSites() {
    }

    /**
     * Says which cell runs now. A cell that repeats a declaration word for word runs the class of the cell before it, whose
     * file name the JVM keeps.
     *
     * @param cell
     *            the n of In [n]; 0 for none
     */
    public static void runningCell(final int cell) {
        UserFrames.nextCell();
        run = new Run(cell > 0 ? "In [" + cell + "]" : "", new ConcurrentHashMap<>());
    }

    /** {@return the id of the user's stack now; 0 when no frame of it is the user's} */
    public static int current() {
        return id(UserFrames.forWhole().walk(UserFrames::whole));
    }

    /** {@return the id of a stack of one frame, the innermost that lies in a cell; 0 when none does} */
    public static int innermostInCell() {
        final UserFrames.Place innermost = UserFrames.forInnermost().walk(UserFrames::innermost);
        if (innermost == null || !innermost.inCell) {
            return 0;
        }
        // places are forgotten with the cell that names them
        if (innermost.site == 0) {
            innermost.site = id(List.of(innermost));
        }
        return innermost.site;
    }

    /**
     * {@return the user's innermost line now, for instance {@code In [7]:3}; empty when no frame is the user's} Looks
     * no further than that line: about a microsecond.
     */
    public static String line() {
        final UserFrames.Place innermost = UserFrames.forInnermost().walk(UserFrames::innermost);
        if (innermost == null) {
            return "";
        }
        final Frame frame = frame(innermost, run.cell);
        return frame.file() + ":" + frame.line();
    }

    private static int id(final List<UserFrames.Place> places) {
        if (places.isEmpty()) {
            return 0;
        }
        final Run now = run;
        final Integer known = now.known.get(places);
        if (known != null) {
            return known;
        }
        final int id = intern(places.stream().map(place -> frame(place, now.cell)).toList());
        now.known.put(places, id);
        return id;
    }

    private static Frame frame(final UserFrames.Place place, final String cell) {
        return place.isCell && !cell.isEmpty() ? new Frame(cell, place.frame.line(), Frame.CELL) : place.frame;
    }

    /**
     * {@return the frames of a site, innermost first; empty for 0 and unknown ids}
     *
     * @param site
     *            what {@link #current}, {@link #innermostInCell} or {@link #intern} gave
     */
    public static List<Frame> frames(final int site) {
        synchronized (IDS) {
            return site >= 0 && site < SITES.size() ? SITES.get(site) : List.of();
        }
    }

    /**
     * {@return the id of a stack, the same for equal stacks; 0 for an empty one}
     *
     * @param frames
     *            innermost first
     */
    public static int intern(final List<Frame> frames) {
        if (frames.isEmpty()) {
            return 0;
        }
        synchronized (IDS) {
            return IDS.computeIfAbsent(frames, f -> {
                SITES.add(List.copyOf(f));
                return SITES.size() - 1;
            });
        }
    }
}
