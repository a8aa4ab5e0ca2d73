package io.vramlab.install.story;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** What is found out on another processor while something else goes on; at once for long histories, which fill the heap one by one. */
public final class Beside {

    private static final int MOST_EVENTS = 500_000;

    private Beside() {
    }

    /** Whether several may work on it at once. */
    public static boolean isShort(Story story) {
        return story.events().size() <= MOST_EVENTS;
    }

    /**
     * Begins a work on a history that changes nothing that others see.
     *
     * @param work what fails as it does for the caller, when it asks
     * @return waits for what came of it
     */
    public static <T> Supplier<T> work(Story story, Supplier<T> work) {
        if (!isShort(story)) {
            T done = work.get();
            return () -> done;
        }
        CompletableFuture<T> begun = CompletableFuture.supplyAsync(work);
        return () -> resultOf(begun);
    }

    private static <T> T resultOf(CompletableFuture<T> begun) {
        try {
            return begun.join();
        } catch (CompletionException failed) {
            switch (failed.getCause()) {
                case RuntimeException refused -> throw refused;
                case Error broken -> throw broken;
                case null, default -> throw failed;
            }
        }
    }
}
