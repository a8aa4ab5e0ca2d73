package io.vramlab.install.notebook;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import com.google.gson.JsonPrimitive;

import io.vramlab.magics.bug.BrokenHistoryException;
import io.vramlab.magics.bug.Events;
import io.vramlab.magics.bug.RecordedPart;

/**
 * A cell's recorded history against the one of a run now. What is asked for, and what is freed, must be the same; when in a
 * cell the collector frees something, and so what is taken from the device for it, may differ from run to run.
 */
final class HistoryComparison {

    private HistoryComparison() {
    }

    /** What differs, in words. */
    static Optional<String> of(String recorded, String now) {
        try {
            RecordedPart before = RecordedPart.read(new JsonPrimitive(recorded));
            RecordedPart after = RecordedPart.read(new JsonPrimitive(now));
            if (!before.settings().equals(after.settings())) {
                return Optional.of("other allocator settings were recorded: \"" + before.settings() + "\", now \""
                        + after.settings() + "\"");
            }
            if (before.thinned() || after.thinned()) {
                return Optional.empty(); // what was left out cannot be compared
            }
            if (!asked(before.events()).equals(asked(after.events()))) {
                return Optional.of("another history was recorded: the requests differ");
            }
            if (!freed(before.events()).equals(freed(after.events()))) {
                return Optional.of("another history was recorded: what was freed differs");
            }
            return before.state().tensors().equals(after.state().tensors())
                    ? Optional.empty()
                    : Optional.of("another state was recorded: the live tensors differ");
        } catch (BrokenHistoryException broken) {
            return Optional.of("the recorded history cannot be used, " + broken.getMessage());
        }
    }

    private static List<Long> asked(Events events) {
        List<Long> asked = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            switch (events.kind(i)) {
                case ALLOC -> asked.add(events.number(i));
                case OUT_OF_MEMORY -> asked.add(-events.number(i));
                case FREE, GAIN, RELEASE, SKIPPED -> {
                    // compared apart, or not at all
                }
            }
        }
        return asked;
    }

    private static List<Long> freed(Events events) {
        List<Long> freed = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            if (events.kind(i) == Events.Kind.FREE) {
                freed.add(events.number(i));
            }
        }
        Collections.sort(freed);
        return freed;
    }
}
