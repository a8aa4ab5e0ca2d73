package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import io.vramlab.device.DriverStep;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Everything that a recorded program takes and gives back on a device, in order: the storages it made, and what its
 * operations take besides.
 */
final class Script {

    static final byte TAKE = 0;
    static final byte GIVE = 1;
    static final byte EMPTY_CACHE = 2;
    static final byte RESET_PEAK = 3;
    static final byte USE = 4;
    static final byte WAIT = 5;
    static final byte TRY = 6;
    static final byte DRIVER = 7;
    /** Takes for a moment what PyTorch does without where there is no room: it goes on to the plans that follow. */
    static final byte SPARED = 8;
    /** Limits the process to a part of the device, whose bits are the step's bytes. */
    static final byte LIMIT = 9;

    /**
     * What is known of a script besides its steps.
     *
     * @param room
     *            bytes that the device has
     * @param lastStorage
     *            the largest number of a block
     * @param lastTemporary
     *            the least
     * @param shares
     *            whether any storage is used on several streams
     * @param lingers
     *            whether another thread decides when some of it goes
     * @param waits
     *            whether autograd's thread may let go of some of it late
     * @param tried
     *            of a block that is tried, the sizes that it may have
     * @param labels
     *            what blocks are that live until the process ends
     * @param unknown
     *            operations without an entry, with how often each was met
     * @param unknownAt
     *            the first event of each
     * @param estimated
     *            operations whose workspace is a library's choice
     */
    record Facts(long room, long lastStorage, long lastTemporary, boolean shares, boolean lingers, boolean waits,
            Map<Long, long[]> tried, Map<Long, String> labels, Map<String, Integer> unknown,
            Map<String, Integer> unknownAt, Map<String, Integer> estimated) {
    }

    private final ScriptSteps steps;
    private final ChosenSteps chosen;
    private final Facts facts;
    private int hash;

    Script(ScriptSteps steps, ChosenSteps chosen, Facts facts) {
        this.steps = steps;
        this.chosen = chosen;
        this.facts = facts;
    }

    static Script of(ProgramTrace trace, DeviceProperties device) {
        return of(trace, device, Choice.LIKELY);
    }

    static Script of(ProgramTrace trace, DeviceProperties device, Choice choice) {
        return of(trace, device, choice, Shares.EVEN);
    }

    static Script of(ProgramTrace trace, DeviceProperties device, Choice choice, Shares shares) {
        return of(trace, IntStream.range(0, trace.events().size()).toArray(), device, choice, shares);
    }

    /** Events in another order, some of them not at all. */
    static Script of(ProgramTrace trace, int[] order, DeviceProperties device, Choice choice, Shares shares) {
        return ScriptWriter.write(trace, order, device, choice, shares);
    }

    /** Whether {@link #with} is all that another choice changes: no trial hangs on it, and nothing goes later. */
    boolean changesSizesAlone(Choice choice) {
        return !chosen.isSettled() && !((facts.lingers || facts.waits) && choice == Choice.MOST);
    }

    /** The same with what libraries choose otherwise. */
    Script with(Choice choice) {
        return new Script(chosen.with(choice, steps), chosen, facts);
    }

    /** The same without some blocks. */
    Script without(Set<Long> dropped) {
        ScriptSteps rest = new ScriptSteps();
        for (int i = 0; i < length(); i++) {
            boolean ofABlock = takes(i) || kind(i) == GIVE || kind(i) == USE;
            if (!ofABlock || !dropped.contains(block(i))) {
                rest.add(steps, i);
            }
        }
        return new Script(rest, new ChosenSteps(), facts);
    }

    int length() {
        return steps.length();
    }

    byte kind(int i) {
        return steps.kind(i);
    }

    /** Whether it takes a block, be it less than all of it where there is not so much. */
    boolean takes(int i) {
        byte kind = steps.kind(i);
        return kind == TAKE || kind == TRY || kind == SPARED;
    }

    /** The storage, or a negative number for what an operation takes for itself. */
    long block(int i) {
        return steps.block(i);
    }

    long bytes(int i) {
        return steps.bytes(i);
    }

    /** A number of its block from 0 on, less than {@link #blocks}. */
    int index(int i) {
        return (int) (steps.block(i) - facts.lastTemporary);
    }

    int blocks() {
        return (int) (facts.lastStorage - facts.lastTemporary) + 1;
    }

    /** The stream that takes or uses the block; 0 is the default one. */
    int stream(int i) {
        return steps.stream(i);
    }

    /** Which of the recording's events it belongs to. */
    int event(int i) {
        return steps.event(i);
    }

    /** What the driver takes for itself. */
    DriverStep step(int i) {
        return DriverStep.values()[(int) steps.bytes(i)];
    }

    /** The largest of what may be tried that is not more than what the device has left; 0 if all are. */
    long triedWithin(int i, long reserved) {
        return Arrays.stream(facts.tried.get(block(i))).filter(bytes -> bytes <= facts.room - reserved).max()
                .orElse(0);
    }

    /** What a block is that lives until the process ends; null for others. */
    String label(long block) {
        return facts.labels.get(block);
    }

    /** Whether any storage is used on several streams, so that when it is free again hangs on how far the GPU is. */
    boolean shares() {
        return facts.shares;
    }

    /** Whether another thread decides when some of it goes. */
    boolean lingers() {
        return facts.lingers;
    }

    /** Whether autograd's thread may let go of some of it late. */
    boolean waits() {
        return facts.waits;
    }

    /** Operations without an entry, with how often each was met. */
    Map<String, Integer> unknown() {
        return facts.unknown;
    }

    /** The first event that met an operation without an entry. */
    int unknownAt(String operation) {
        return facts.unknownAt.get(operation);
    }

    /** Operations whose workspace is a library's choice, with how often each was met. */
    Map<String, Integer> estimated() {
        return facts.estimated;
    }

    /** Whether it takes and gives back the same, in the same order: its replay comes to the same. */
    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof Script that && hashCode() == that.hashCode()
                && steps.equals(that.steps) && facts.tried.isEmpty() && that.facts.tried.isEmpty();
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = steps.hashCode();
        }
        return hash;
    }
}
