package io.vramlab.tensor;

import java.util.List;

/**
 * A record of this project's that holds tensors. What woven code makes of it, or gets, is counted as the objects of its own
 * classes are; how many hold it is kept beside it, because a record has no room for that.
 */
public interface CountedRecord extends Counted {

    /** {@return the tensors and records of tensors that it holds, without null} */
    List<?> parts();

    @Override
    default HolderCount holderCount$() {
        return SideCounts.of(this);
    }

    @Override
    default void dropMembers$() {
        SideCounts.end(this);
        parts().forEach(Lifetimes::drop);
    }

    @Override
    default void escapeMembers$() {
        parts().forEach(Lifetimes::escape);
    }
}
