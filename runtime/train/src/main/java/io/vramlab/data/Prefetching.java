package io.vramlab.data;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/** Batches prepared ahead by worker threads, delivered in order. The threads end with the last batch. */
final class Prefetching implements Iterator<Batch> {

    private final LongFunction<Batch> load;
    private final long count;
    private final ExecutorService threads;
    private final Queue<Future<Batch>> ahead = new ArrayDeque<>();
    private long asked;

    Prefetching(LongFunction<Batch> load, long count, int workers, int depth) {
        this.load = load;
        this.count = count;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(workers, workers, 1, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), Thread.ofPlatform().daemon().name("data-loader-", 0).factory());
        // a loop that is left early leaves no threads behind
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
        for (int i = 0; i < depth; i++) {
            ask();
        }
    }

    private void ask() {
        if (asked < count) {
            long batch = asked++;
            ahead.add(threads.submit(() -> load.apply(batch)));
        }
        if (asked == count) {
            threads.shutdown();
        }
    }

    @Override
    public boolean hasNext() {
        return !ahead.isEmpty();
    }

    @Override
    public Batch next() {
        Future<Batch> first = ahead.poll();
        if (first == null) {
            throw new NoSuchElementException("The loader has no further batch.");
        }
        try {
            Batch batch = first.get();
            ask();
            return batch.adopted();
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Waiting for a batch was interrupted.", e);
        } catch (ExecutionException e) {
            threads.shutdownNow();
            throw e.getCause() instanceof RuntimeException known
                    ? known
                    : new IllegalStateException("A batch could not be loaded: " + e.getCause(), e.getCause());
        }
    }
}
