package io.vramlab.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where a script's steps are in the program that was recorded.
 *
 * @param trace
 *            the recording of which it was written
 */
record ScriptPlaces(ProgramTrace trace, Script script) {

    /** Operation, line and module of a step. */
    String where(int step) {
        if (script.length() == 0) {
            return "nothing is allocated";
        }
        if (!(event(step) instanceof Operation o)) {
            return "a tensor that came from before the recording or from outside of it";
        }
        String module = trace.module(o.module());
        return o.name().replace(".default", "") + " at " + trace.place(o.stack())
                + (module.isEmpty() ? "" : " in " + module) + " (" + o.phase().name().toLowerCase(Locale.ROOT) + ")";
    }

    /** Operation and line. */
    String line(int step) {
        return event(step) instanceof Operation o
                ? o.name().replaceFirst("\\.[^.]*$", "") + " at " + trace.place(o.stack())
                : "from before the recording";
    }

    /** What a step belongs to. */
    PlanEvent event(int step) {
        return trace.events().get(script.event(step));
    }

    /** Operations without an entry, each with its count and the line that met it first. */
    List<String> unknown() {
        List<String> places = new ArrayList<>();
        script.unknown().forEach((name, count) -> {
            Operation met = (Operation) trace.events().get(script.unknownAt(name));
            places.add(name + " (" + count + ", at " + trace.place(met.stack()) + ")");
        });
        return places;
    }

    /** The sizes that are asked for, in order, less those of 0: PyTorch's history has the same. */
    List<Long> sizes() {
        List<Long> sizes = new ArrayList<>();
        for (int i = 0; i < script.length(); i++) {
            if (script.takes(i) && script.bytes(i) > 0) {
                sizes.add(script.bytes(i));
            }
        }
        return sizes;
    }
}
