package io.vramlab.kernel.spi;

/** Told of every cell that is stored in history; found by {@link java.util.ServiceLoader}. */
public interface CellListener {

    /** The session has begun; called once, before any cell. */
    default void sessionStarted(Session session) {
    }

    /**
     * For the first time nobody waits for an answer, and Java is ready; called once, maybe after cells. For what is needed
     * later and takes a while to load. Must not take long itself: the next cell waits for it.
     */
    default void sessionIdle(Session session) {
    }

    /** A cell is about to run: In [cell.number()]. */
    default void cellStarted(Cell cell, Session session) {
    }

    /**
     * A cell has ended, its replaced variables already released, its value and output sent. What is displayed here still
     * belongs to the cell.
     */
    default void cellFinished(Cell cell, Outcome outcome, Session session) {
    }

    /**
     * Nobody has waited for an answer for a moment; called after each request that no other followed at once, once the session
     * has begun. For what the next cell needs and no answer does.
     */
    default void quiet(Session session) {
    }

    /** The session ends. */
    default void sessionEnded(Session session) {
    }
}
