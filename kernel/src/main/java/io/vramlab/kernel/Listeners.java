package io.vramlab.kernel;

import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.CellListener;
import io.vramlab.kernel.spi.Outcome;
import io.vramlab.kernel.spi.Session;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Tells the cell listeners; one that fails is reported and does not harm the cell or the others. */
final class Listeners {

    private static final Logger LOG = Logger.getLogger(Listeners.class.getName());

    private final Session session;
    private List<CellListener> all;

    Listeners(Session session) {
        this.session = session;
    }

    /** Those that {@link ServiceLoader} finds, looked for at the first use. */
    private synchronized List<CellListener> all() {
        if (all == null) {
            all = ServiceLoader.load(CellListener.class, Listeners.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get).toList();
        }
        return all;
    }

    void sessionStarted() {
        each(listener -> listener.sessionStarted(session));
    }

    void sessionIdle() {
        each(listener -> listener.sessionIdle(session));
    }

    void cellStarted(Cell cell) {
        each(listener -> listener.cellStarted(cell, session));
    }

    void cellFinished(Cell cell, Outcome outcome) {
        each(listener -> listener.cellFinished(cell, outcome, session));
    }

    void quiet() {
        each(listener -> listener.quiet(session));
    }

    void sessionEnded() {
        each(listener -> listener.sessionEnded(session));
    }

    private void each(Consumer<CellListener> call) {
        for (CellListener listener : all()) {
            try {
                call.accept(listener);
            } catch (RuntimeException | Error e) {
                LOG.log(Level.WARNING, "{0} failed: {1}", new Object[]{listener.getClass().getName(), e.toString()});
            }
        }
    }
}
