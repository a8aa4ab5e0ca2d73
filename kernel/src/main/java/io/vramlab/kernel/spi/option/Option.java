package io.vramlab.kernel.spi.option;

import java.util.List;
import java.util.stream.Stream;

/**
 * One declared option.
 *
 * @param metavariable
 *            how its value is called in the help; null for a flag
 * @param choices
 *            what the value must be among; empty if it is free
 * @param offers
 *            what is offered for the value
 */
record Option(String name, String metavariable, String text, List<String> choices, List<String> offers) {

    private static final String FILE = "FILE";

    boolean isFlag() {
        return metavariable == null;
    }

    String usage() {
        return "--" + name + (isFlag() ? "" : " " + metavariable);
    }

    /** Candidates for its value, each behind {@code prefix}, of which with some of the value {@code typed} is there. */
    List<String> complete(String prefix, String typed) {
        List<String> files = FILE.equals(metavariable)
                ? FileNames.completing(typed.substring(prefix.length()))
                : List.of();
        Stream<String> fitting = offers.stream().filter(each -> (prefix + each).startsWith(typed));
        return Stream.concat(fitting, files.stream()).map(each -> prefix + each).toList();
    }
}
