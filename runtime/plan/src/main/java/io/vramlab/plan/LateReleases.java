package io.vramlab.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which storages autograd's thread may let go of late. Where a program differentiates within what it differentiates
 * ({@code torch.func.grad} in an inner loop, a penalty on gradients), what a backward pass leaves at its end is let go of by that thread,
 * which waits for Python's lock to do so, up to 5 ms, while the program runs on: an H100 kept it for up to 197 operations in some
 * steps, and in others not (docs/plan.md, "What is estimated, and what is left out").
 */
final class LateReleases {

    /** How long it may take, in operations: 5 ms of some 20 µs each, views too; an H100 was seen to take up to 197. */
    static final int OPERATIONS = 256;

    private final BitSet late = new BitSet();
    private final Set<Long> gradients = new HashSet<>();
    private List<Integer> left = new ArrayList<>();
    private List<Integer> candidates = List.of();
    private boolean backward;
    private boolean used;

    private LateReleases() {
    }

    /** The numbers of the events that may come late. */
    static BitSet of(List<PlanEvent> events) {
        LateReleases found = new LateReleases();
        for (int i = 0; i < events.size(); i++) {
            switch (events.get(i)) {
                case Operation o when o.phase() == Phase.BACKWARD -> found.backward(o);
                case Operation o -> found.forward(o);
                case PlanEvent.Released r when found.backward -> found.left.add(i);
                case PlanEvent.Mark m when m.what().equals("optimizer_step") -> found.candidates = List.of();
                default -> {
                    // says nothing of gradients
                }
            }
        }
        return found.late;
    }

    private void backward(Operation o) {
        if (!backward) {
            if (used) {
                candidates.forEach(late::set);
            }
            candidates = List.of();
            used = false;
            gradients.clear();
        }
        backward = true;
        left.clear();
        o.made().forEach(made -> gradients.add(made.storage()));
    }

    private void forward(Operation o) {
        if (backward) {
            candidates = left;
            left = new ArrayList<>();
            backward = false;
        }
        used |= o.phase() == Phase.FORWARD && !candidates.isEmpty() && reads(o.arguments());
    }

    private boolean reads(Collection<?> values) {
        return values.stream().anyMatch(value -> value instanceof TensorRef t && gradients.contains(t.storage())
                || value instanceof List<?> list && reads(list));
    }
}
