package io.vramlab.tensor;

import java.util.ArrayList;
import java.util.List;

/**
 * The variables of the methods that an exception has left. In Python its traceback keeps them until the exception has been
 * handled; so does whoever catches it here.
 */
final class Traceback implements Counted {

    final Throwable exception;
    private final List<Object> variables = new ArrayList<>();
    private final HolderCount holders = new HolderCount();

    Traceback(Throwable exception) {
        this.exception = exception;
    }

    /** Takes over a hold. */
    void add(Object value) {
        variables.add(value);
    }

    @Override
    public HolderCount holderCount$() {
        return holders;
    }

    @Override
    public void dropMembers$() {
        variables.forEach(Lifetimes::drop);
        variables.clear();
    }
}
