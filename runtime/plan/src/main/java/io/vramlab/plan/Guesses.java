package io.vramlab.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a recorder had to guess, by line of the program: each line once, with how many different things were taken for what is not known there. */
final class Guesses {

    private static final String TAKEN = "; taken as ";
    /** So many are named where there are more. */
    private static final int NAMED = 3;

    private final Map<String, Map<String, Set<String>>> byLine = new LinkedHashMap<>();

    /** A recorder's sentence: what is not known, and mostly what it is taken as. */
    void add(String line, String text) {
        int at = text.indexOf(TAKEN);
        Set<String> taken = byLine.computeIfAbsent(line, first -> new LinkedHashMap<>())
                .computeIfAbsent(at < 0 ? text : text.substring(0, at), first -> new LinkedHashSet<>());
        if (at >= 0) {
            taken.add(text.substring(at + TAKEN.length()));
        }
    }

    void addAll(Guesses others) {
        others.byLine.forEach((line, whats) -> whats.forEach((what, taken) -> byLine
                .computeIfAbsent(line, first -> new LinkedHashMap<>())
                .computeIfAbsent(what, first -> new LinkedHashSet<>()).addAll(taken)));
    }

    /** A sentence for each line, in the order in which they were met. */
    List<String> told() {
        List<String> told = new ArrayList<>();
        byLine.forEach((line, whats) -> told.add(line + ": " + String.join(". Also: ",
                whats.entrySet().stream().map(e -> e.getKey() + taken(List.copyOf(e.getValue()))).toList())));
        return told;
    }

    private static String taken(List<String> taken) {
        if (taken.size() <= NAMED) {
            return taken.isEmpty() ? "" : TAKEN + String.join(", then ", taken);
        }
        return TAKEN + String.join(", then ", taken.subList(0, NAMED)) + " and " + (taken.size() - NAMED)
                + " others";
    }
}
