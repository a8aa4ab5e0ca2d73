package io.vramlab.plan;

/** What an operation takes besides its results. */
@FunctionalInterface
interface OperationRule {

    /** Writes it into the script; results that the rule leaves out come after it. */
    void follow(Operation operation, RuleSteps steps);
}
