package io.vramlab.kernel.spi.option;

import io.vramlab.kernel.spi.UsageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a user wrote after the name of a magic. */
public final class Arguments {

    private final String magic;
    private final Map<String, String> values;
    private final List<String> words;

    Arguments(String magic, Map<String, String> values, List<String> words) {
        this.magic = magic;
        this.values = values;
        this.words = words;
    }

    /** True when {@code --help} is among them. */
    public boolean help() {
        return values.containsKey("help");
    }

    /** True when {@code --name} is among them. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** The value of {@code --name}. */
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** What is no option, in order. */
    public List<String> words() {
        return words;
    }

    /** The value of {@code --name} as a whole number of at least {@code least}. */
    public int number(String name, int otherwise, int least) throws UsageException {
        String text = values.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, together with numbers that are too small
        }
        throw new UsageException(
                magic + ": --" + name + " was given \"" + text + "\". It is a whole number of at least "
                        + least + ". Write for instance --" + name + " " + Math.max(otherwise, least) + ".");
    }
}
