package io.vramlab.magics.oom;

/**
 * Something that was tried in a copy of the allocator, and let the request succeed there.
 *
 * @param what
 *            what to do, in words
 * @param command
 *            what to run
 * @param freed
 *            bytes in use that it gives up
 * @param checked
 *            how it was tried
 */
public record FreeingAdvice(String what, String command, long freed, String checked) {
}
