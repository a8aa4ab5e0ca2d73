package io.vramlab.conformance.articles;

/** One example program. */
@FunctionalInterface
public interface Scenario {

    /** Runs it; whatever tensors it leaves open are closed afterwards. */
    void run(Lab lab);
}
