package io.vramlab.device.internal.sim;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.DeviceFaultException;
import io.vramlab.device.DeviceStreams;
import io.vramlab.device.InterruptedWorkException;
import io.vramlab.device.PendingWork;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Streams and events of a simulated device. Work runs at once on the calling thread unless its stream has work waiting:
 * then it waits too, and runs, in order, when somebody waits for the stream. Only what {@link #defer} is given starts such
 * a queue. One piece of work runs at a time on a device. A query runs one waiting piece of work, so that polling ends
 * after the same number of polls every time.
 */
final class SimulatedStreams implements DeviceStreams {

    /** Operations take note of themselves; what only moves marks and waits does not. */
    private static final Set<String> BOOKKEEPING = Set.of("event", "wait");

    private record Work(Object operation, String line, Runnable task) {
    }

    /** An event: the stream it was last recorded on, and how much of that record has happened. */
    private static final class Mark {
        private final boolean timing;
        private long stream;
        private long recorded;
        private long reached;
        private long nanos = -1;

        Mark(boolean timing) {
            this.timing = timing;
        }

        boolean isDone() {
            return reached == recorded;
        }
    }

    private final String device;
    private final FaultBox faults;
    private final TreeMap<Long, ArrayDeque<Work>> lanes = new TreeMap<>();
    private final Map<Long, Mark> events = new HashMap<>();
    private long lastHandle;
    private boolean blocking;
    private Work running;

    SimulatedStreams(String device, FaultBox faults) {
        this.device = device;
        this.faults = faults;
        lanes.put(0L, new ArrayDeque<>());
    }

    /** Keeps a fault that somebody else found, of the work that runs now. */
    synchronized void raise(DeviceFault fault, String found) {
        faults.raise(fault, found, running == null ? "" : PendingWork.name(running.operation()),
                running == null ? "" : running.line());
    }

    synchronized void setBlocking(boolean on) {
        blocking = on;
    }

    /** Gives a stream work; it runs now unless the stream has work waiting. */
    synchronized void submit(long stream, Object operation, Runnable task) {
        faults.checkTold();
        ArrayDeque<Work> lane = lane(stream);
        Work work = launched(stream, operation, task);
        if (lane.isEmpty()) {
            run(work);
        } else {
            lane.add(work);
        }
        block(stream);
    }

    /** Gives a stream work that runs only when somebody waits for the stream. */
    synchronized void defer(long stream, Object operation, Runnable task) {
        faults.checkTold();
        lane(stream).add(launched(stream, operation, task));
        block(stream);
    }

    private Work launched(long stream, Object operation, Runnable task) {
        if (BOOKKEEPING.contains(operation)) {
            return new Work(operation, "", task);
        }
        return new Work(operation, faults.pending().launched(operation, stream), task);
    }

    private void block(long stream) {
        if (blocking) {
            drain(stream);
            faults.checkLaunched();
            faults.pending().done(stream, faults.pending().mark());
        }
    }

    /** Runs what waits in a stream; throws what went wrong so far on the device. */
    @Override
    public synchronized void synchronizeStream(long stream) {
        drain(stream);
        faults.checkDone();
        faults.pending().done(stream, faults.pending().mark());
    }

    /** Runs what waits in a stream, without throwing what went wrong. */
    synchronized void drainStream(long stream) {
        drainQuietly(stream);
    }

    /** Runs what waits anywhere, without throwing what went wrong. */
    synchronized void drainAll() {
        for (long stream : lanes.keySet().toArray(Long[]::new)) {
            drainQuietly(stream);
        }
    }

    @Override
    public synchronized void synchronize() {
        for (long stream : lanes.keySet().toArray(Long[]::new)) {
            drain(stream);
        }
        faults.checkDone();
        faults.pending().done(faults.pending().mark());
    }

    @Override
    public synchronized boolean queryStream(long stream) {
        boolean done = lane(stream).isEmpty();
        step(stream);
        faults.checkDone();
        return done;
    }

    @Override
    public synchronized long createStream() {
        faults.checkTold();
        lanes.put(++lastHandle, new ArrayDeque<>());
        return lastHandle;
    }

    @Override
    public synchronized void destroyStream(long stream) {
        if (stream == 0) {
            throw new DeviceException("The default stream of " + device
                    + " was to be destroyed; it lives as long as the device. Destroy only streams you created.");
        }
        drain(stream);
        lanes.remove(stream);
    }

    @Override
    public synchronized long createEvent(boolean timing) {
        faults.checkTold();
        events.put(++lastHandle, new Mark(timing));
        return lastHandle;
    }

    @Override
    public synchronized void destroyEvent(long event) {
        mark(event);
        events.remove(event);
    }

    @Override
    public synchronized void recordEvent(long event, long stream) {
        Mark m = mark(event);
        m.stream = stream;
        long record = ++m.recorded;
        submit(stream, "event", () -> {
            m.reached = Math.max(m.reached, record);
            m.nanos = System.nanoTime();
        });
    }

    @Override
    public synchronized boolean queryEvent(long event) {
        Mark m = mark(event);
        boolean done = m.isDone();
        if (!done) {
            step(m.stream);
        }
        faults.checkDone();
        return done;
    }

    @Override
    public synchronized void synchronizeEvent(long event) {
        reach(mark(event), Long.MAX_VALUE);
        faults.checkDone();
    }

    @Override
    public synchronized void waitEvent(long stream, long event) {
        Mark m = mark(event);
        lane(stream);
        faults.checkTold();
        if (!m.isDone()) {
            long record = m.recorded;
            defer(stream, "wait", () -> reach(m, record));
        }
    }

    @Override
    public synchronized double elapsedMillis(long start, long end) {
        Mark a = mark(start);
        Mark b = mark(end);
        faults.checkDone();
        if (!a.timing || !b.timing || a.nanos < 0 || b.nanos < 0 || !a.isDone() || !b.isDone()) {
            throw new DeviceException("The time between two events of " + device
                    + " was asked for; one has no timing, was not recorded, or is not complete. "
                    + "Create both with timing, record both, and synchronize the second.");
        }
        return (b.nanos - a.nanos) / 1e6;
    }

    /** Forgets waiting work and counts every event as reached. */
    synchronized void reset() {
        lanes.values().forEach(ArrayDeque::clear);
        events.values().forEach(m -> m.reached = m.recorded);
    }

    private void reach(Mark m, long record) {
        while (m.reached < Math.min(record, m.recorded) && step(m.stream)) {
            continue;
        }
    }

    private void drain(long stream) {
        while (step(stream)) {
            continue;
        }
    }

    /** For who frees memory: an interrupt ends the work, and the thread that stays interrupted tells of it elsewhere. */
    private void drainQuietly(long stream) {
        boolean interrupted;
        do {
            interrupted = false;
            try {
                drain(stream);
            } catch (InterruptedWorkException e) {
                interrupted = true;
            }
        } while (interrupted);
    }

    private boolean step(long stream) {
        Work w = lane(stream).poll();
        if (w != null) {
            run(w);
        }
        return w != null;
    }

    private void run(Work w) {
        if (faults.isRaised() && !w.operation().equals("event")) {
            return; // the context is lost: nothing runs any more, but waiting for it still ends
        }
        Work before = running;
        running = w;
        try {
            w.task().run();
        } catch (DeviceFaultException e) {
            raise(e.fault(), e.getMessage());
        } catch (InterruptedWorkException e) {
            // what waits behind it would be the next cell's to wait for; marks and waits move on
            lanes.values().forEach(lane -> lane.removeIf(each -> !BOOKKEEPING.contains(each.operation())));
            throw e;
        } finally {
            running = before;
        }
    }

    private ArrayDeque<Work> lane(long stream) {
        ArrayDeque<Work> lane = lanes.get(stream);
        if (lane == null) {
            throw unknown("Stream", stream);
        }
        return lane;
    }

    private Mark mark(long event) {
        Mark m = events.get(event);
        if (m == null) {
            throw unknown("Event", event);
        }
        return m;
    }

    private DeviceException unknown(String what, long handle) {
        return new DeviceException(String.format(Locale.ROOT,
                "%s %d of %s was used; there is none, or it was destroyed. Create it first.", what, handle, device));
    }
}
