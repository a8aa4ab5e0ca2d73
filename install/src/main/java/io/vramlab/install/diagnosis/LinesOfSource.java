package io.vramlab.install.diagnosis;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.vramlab.install.source.Saying;
import io.vramlab.install.source.SourceLines;
import io.vramlab.install.source.Turn;
import io.vramlab.install.source.Turn.Role;
import io.vramlab.install.source.UserProgram;
import io.vramlab.memory.Frame;

/** Where the source alone shows what a cause is about, of a history without stacks: by the words and the loops of the program. */
final class LinesOfSource {

    private static final Set<Role> WITH_GRADIENT = EnumSet.of(Role.STEP, Role.ONCE, Role.PILE);

    private final UserProgram program;
    private final SourceLines source;
    private final CauseKind kind;

    LinesOfSource(UserProgram program, CauseKind kind) {
        this.program = program;
        this.kind = kind;
        source = new SourceLines(program);
    }

    /** Calls of a model that would leave that behind, each as the frames that it may be reached by. */
    List<List<Frame>> calls() {
        return kind == CauseKind.FRAGMENTATION_SIZES
                ? source.sizedByName()
                : source.modelCalls().stream().filter(this::isOne).toList();
    }

    /** What is put away with each turn, as far as the words tell it. */
    Optional<String> kept() {
        return switch (kind) {
            case GRAPH_KEPT -> source.keptOfModel(true);
            case TENSORS_KEPT, FRAGMENTATION_PINNED -> source.keptOfModel(false);
            default -> Optional.empty();
        };
    }

    private boolean isOne(List<Frame> call) {
        Turn turn = program.turn(call, 0);
        boolean kept = turn.fate().keeps() || turn.fate().carries();
        return switch (kind) {
            case GRAPH_KEPT -> turn.role() == Role.LOOSE && kept || turn.role() == Role.STEP && turn.fate().carries();
            case TENSORS_KEPT, FRAGMENTATION_PINNED -> turn.role() != Role.STEP && (kept || turn.fate().cuts());
            case ACCUMULATION -> turn.role() == Role.PILE;
            case ACTIVATIONS, LOGITS, WARM_UP -> WITH_GRADIENT.contains(turn.role());
            default -> false;
        };
    }

    /** The line that makes it; nothing where the source does not show it. */
    Optional<String> made() {
        return switch (kind) {
            case OPTIMIZER -> source.first(Saying.OPTIMIZER_STEP);
            case GROWN_BY_CAT -> source.first(Saying.JOIN_TO_ITSELF).or(() -> source.first(Saying.CACHE))
                    .or(() -> source.first(Saying.JOINS));
            case CACHE_EMPTIED -> source.first(Saying.EMPTY);
            case LOGITS -> source.first(Saying.LOSS_OF_LOGITS).or(this::call);
            case ATTENTION -> source.attention();
            case OLD_AND_NEW -> source.ofItself();
            case ONE_OPERATION -> source.first(Saying.ALL_PAIRS);
            case LIMIT -> source.modelMade();
            default -> call();
        };
    }

    private Optional<String> call() {
        return calls().stream().findFirst().flatMap(call -> source.line(call.getFirst()));
    }
}
