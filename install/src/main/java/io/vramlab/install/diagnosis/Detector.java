package io.vramlab.install.diagnosis;

import java.util.Optional;

/** Looks for one kind of cause. */
@FunctionalInterface
interface Detector {

    /** What it found; nothing when the history does not show this. */
    Optional<Finding> look(Evidence evidence);
}
