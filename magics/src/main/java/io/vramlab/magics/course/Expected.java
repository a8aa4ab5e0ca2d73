package io.vramlab.magics.course;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * What an exercise's answer must be, with the words in which a learner is told of it.
 *
 * @param words
 *            what is expected, to follow "Expected:"; names the aim, not the way there
 * @param holds
 *            whether an answer is right; never asked about null
 */
public record Expected<T>(String words, Predicate<? super T> holds) {

    /**
     * An aim without words would leave a learner alone.
     *
     * @throws IllegalArgumentException
     *             when the words are blank
     */
    public Expected {
        if (words.isBlank()) {
            throw new IllegalArgumentException(
                    "An expectation was given no words. A learner whose answer fails is shown"
                            + " them. Say what is expected.");
        }
        Objects.requireNonNull(holds, "An expectation was given no predicate. Say when an answer is right.");
    }

    /** An aim in words, and whether an answer reaches it. */
    public static <T> Expected<T> that(String words, Predicate<? super T> holds) {
        return new Expected<>(words, holds);
    }

    /** One right value, which the words describe without giving it away. */
    public static <T> Expected<T> equalTo(String words, T right) {
        return new Expected<>(words, right::equals);
    }
}
