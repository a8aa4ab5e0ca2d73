package io.vramlab.install.diagnosis;

import java.util.LinkedHashMap;
import java.util.Map;

import io.vramlab.install.source.Doing;
import io.vramlab.install.source.Fate;
import io.vramlab.install.source.Saying;
import io.vramlab.install.source.Turn;
import io.vramlab.install.source.UserProgram;
import io.vramlab.install.story.Place;

/**
 * What a program's source says of a failure in figures, none of which names a cause: 1 for each thing that it says, parts of what was
 * needed for the loops that made it. {@link Weights#ofSource} says what they speak for beside the odds that a reader wrote down.
 */
final class SourceEvidence {

    private final UserProgram program;
    private final Map<String, Double> all = new LinkedHashMap<>();

    private SourceEvidence(UserProgram program) {
        this.program = program;
    }

    /** Of a failure; the shares are of what the loops of its source made. */
    static Map<String, Double> of(Evidence e, Map<String, Double> shares) {
        SourceEvidence evidence = new SourceEvidence(e.program());
        evidence.ofWords();
        shares.forEach((name, share) -> evidence.all.put("share of " + name, share));
        if (e.failed() && e.failingPlace().isKnown()) {
            evidence.ofRequest(e.failingPlace());
        }
        return evidence.all;
    }

    private void put(String name, boolean value) {
        if (value) {
            all.put(name, 1.0);
        }
    }

    private void ofWords() {
        for (Saying saying : Saying.values()) {
            put("says " + saying, program.says(saying));
        }
        put("keeps errors", program.keepsErrors());
        put("tries again where it caught", program.retriesWhereCaught());
        put("has an attention", program.hasAttention());
        put("computes of itself", program.isOfItself());
        for (Turn turn : program.turns()) {
            put("turn " + turn.role() + of(turn.fate()), true);
        }
    }

    private static String of(Fate fate) {
        return (fate.keeps() ? " kept" : "") + (fate.carries() ? " carried" : "");
    }

    private void ofRequest(Place place) {
        String statement = program.statement(place.user().getFirst());
        for (Doing doing : Doing.values()) {
            put("request " + doing, doing.isIn(statement));
        }
        Turn turn = program.turn(place.user(), place.entry());
        put("request in a turn " + turn.role(), true);
        put("request kept", turn.fate().keeps());
        put("request cut", turn.fate().cuts());
        put("request carried", turn.fate().carries());
        put("request of itself", program.isOfItself(place.user()));
        put("request made again", program.isMadeAgain(place.user()));
        put("request joins", program.joins(place.user().getFirst()));
        put("request of an attention", program.isAttention(place.user().getFirst()));
        put("request of a loss", program.isLoss(place.user().getFirst()));
        put("request caught", program.isCaught(place.user()));
        put("request varied", program.isVaried(place.user(), place.entry()));
    }
}
