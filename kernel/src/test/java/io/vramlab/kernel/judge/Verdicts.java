package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** Compares what two sides saw. */
final class Verdicts {

    private Verdicts() {
    }

    /** What differs, in words; empty if nothing does. */
    static List<String> differences(List<Seen> ours, List<Seen> theirs) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < ours.size() && all.isEmpty(); i++) {
            Seen our = ours.get(i);
            Seen their = theirs.get(i);
            if (their.variables().containsValue(StockMain.RESET)) {
                // from here on JShell's session is another one
                return all;
            }
            String where = "In [" + (i + 1) + "] ";
            differ(all, where + "printed", our.out(), their.out());
            differ(all, where + "shown", our.shown(), their.shown());
            differ(all, where + "thrown", our.thrown(),
                    Session.REFUSED.equals(their.thrown()) && isRefusal(our) ? our.thrown() : their.thrown());
            TreeSet<String> names = new TreeSet<>(our.variables().keySet());
            names.addAll(their.variables().keySet());
            for (String name : names) {
                differ(all, where + "variable " + name, our.variables().get(name), their.variables().get(name));
            }
        }
        return all;
    }

    /** The words of a refusal are ours. */
    private static boolean isRefusal(Seen seen) {
        return seen.thrown() != null && seen.thrown().startsWith(Session.REFUSED);
    }

    private static void differ(List<String> all, String what, String ours, String theirs) {
        if (!Objects.equals(ours, theirs)) {
            all.add("%s%n  ours:   %s%n  theirs: %s".formatted(what, ours, theirs));
        }
    }
}
