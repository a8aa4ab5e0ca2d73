package io.vramlab.install.diagnosis;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The one observation that tells two causes apart, of those that look alike in a history. */
final class Apart {

    private static final Map<Set<CauseKind>, String> OBSERVATIONS = observations();

    private Apart() {
    }

    /** What to look at; nothing where two causes are seldom taken for each other. */
    static Optional<String> of(CauseKind one, CauseKind other) {
        return Optional.ofNullable(one == other ? null : OBSERVATIONS.get(EnumSet.of(one, other)));
    }

    /** What stands before the observation where a finding may be another's. */
    static String question(CauseKind other) {
        return "this or " + other.id() + "? ";
    }

    private static Map<Set<CauseKind>, String> observations() {
        String twoTurns = "torch.cuda.memory_allocated() at one place of the loop in two turns one after the other: ";
        Map<Set<CauseKind>, String> told = new HashMap<>();
        told.put(EnumSet.of(CauseKind.ACCUMULATION, CauseKind.GRAPH_KEPT),
                "how many times the model is called for each backward(): it falls back after backward() if they pile up, and does"
                        + " not if they are kept");
        told.put(EnumSet.of(CauseKind.ACCUMULATION, CauseKind.ACTIVATIONS),
                "how many times the model is called for each backward(): once, and one call is too large");
        told.put(EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.GRAPH_KEPT),
                twoTurns + "what is kept grows, what one step needs does not");
        told.put(EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.TENSORS_KEPT),
                twoTurns + "what is kept grows, what one step needs does not");
        told.put(EnumSet.of(CauseKind.TENSORS_KEPT, CauseKind.GRAPH_KEPT),
                "whether what is kept has a grad_fn: with one it keeps its graph");
        told.put(EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.ATTENTION),
                "the same step at half the length: scores need a quarter, all else half");
        told.put(EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.LOGITS),
                "the same step with half the vocabulary or classes: only logits need less");
        told.put(EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.OPTIMIZER),
                "torch.cuda.memory_allocated() before and after the first optimizer.step(): its state is made there and stays");
        told.put(EnumSet.of(CauseKind.OPTIMIZER, CauseKind.TWO_SETS),
                "torch.cuda.memory_allocated() before and after the first optimizer.step(): its state is made there, a second set before");
        told.put(EnumSet.of(CauseKind.ONE_OPERATION, CauseKind.OLD_AND_NEW),
                "whether the operand is used again after the line: if not, it could go or be written over");
        told.put(EnumSet.of(CauseKind.LIMIT, CauseKind.OLD_AND_NEW),
                "whether anything that is in use is not needed after the line: if not, it is the limit");
        told.put(EnumSet.of(CauseKind.TENSORS_KEPT, CauseKind.FAILURES),
                "whether errors that were caught are kept, or retried within the except clause: their frames hold tensors");
        return told;
    }
}
