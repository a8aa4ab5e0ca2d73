package io.vramlab.nn;

import java.util.List;

/**
 * Where a state and a module did not agree: what {@link Module#loadStateDict} gives, as {@code load_state_dict} does. Hooks after
 * loading ({@link Module#registerLoadStateDictPostHook}) may take names out of both lists: those are no errors then.
 *
 * @param missingKeys
 *            what the module has and the state lacks
 * @param unexpectedKeys
 *            what the state has and the module lacks
 */
public record IncompatibleKeys(List<String> missingKeys, List<String> unexpectedKeys) {

    boolean isEmpty() {
        return missingKeys.isEmpty() && unexpectedKeys.isEmpty();
    }
}
