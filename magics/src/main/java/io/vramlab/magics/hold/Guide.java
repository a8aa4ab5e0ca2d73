package io.vramlab.magics.hold;

import java.util.List;

/** Knows the objects of some class better than their fields tell: modules by their parameters' names, for instance. */
public interface Guide {

    /** The steps that lead on from the object, or null when it is not one of this guide's. */
    List<PathStep> edges(Object object);
}
