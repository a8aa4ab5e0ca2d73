package io.vramlab.install;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Does something with each of many notebooks, several at once, and tells on a terminal how far it is. */
final class NotebookBatch {

    private NotebookBatch() {
    }

    /** What is done with one notebook; it is told of every cell that begins. */
    interface Task<T> {

        T run(Path file, NotebookRun.Steps steps) throws Exception;
    }

    /**
     * Runs all.
     *
     * @param jobs how many at once
     * @param well which results are good ones, for the line that tells how far it is
     * @param trouble what others are called, such as {@code differ}
     * @param told takes the results, in the order of the files, each as soon as those before it are there
     */
    static <T> void run(List<Path> files, int jobs, PrintWriter err, Task<T> task, Predicate<T> well, String trouble,
            Consumer<T> told) throws InterruptedException {
        try (RunsLine line = RunsLine.on(err, files.size(), trouble);
                ExecutorService workers = Executors.newFixedThreadPool(Math.max(1, Math.min(jobs, files.size())))) {
            List<Future<T>> results = files.stream().map(file -> workers.submit(() -> {
                String name = file.getFileName().toString().replaceFirst("\\.ipynb$", "");
                boolean good = false;
                try {
                    T result = task.run(file, (cell, cells) -> line.at(name, cell, cells));
                    good = well.test(result);
                    return result;
                } finally {
                    line.ended(name, good);
                }
            })).toList();
            for (Future<T> future : results) {
                T result = get(future, results);
                line.above(() -> told.accept(result));
            }
        }
    }

    private static <T> T get(Future<T> future, List<Future<T>> all) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            all.forEach(other -> other.cancel(false)); // what runs is let end; nothing else begins
            if (failed.getCause() instanceof CommandFailure told) {
                throw told;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }
}
