/**
 * The wire: five ZeroMQ sockets, signed multipart messages, nothing of Java or cells.
 *
 * <p>
 * A message is {@code identities… <IDS|MSG> signature header parent metadata content buffers…}. One thread owns the shell,
 * control, stdin and iopub sockets and sleeps in a selector until a socket or a waiting outgoing message wakes it; nothing
 * here polls on a timer. Whoever has something to send puts it in a queue, so that messages leave in the order in which
 * they were given, from whatever thread. The heartbeat has a thread of its own.
 *
 * <p>
 * What arrives and cannot be trusted (wrong signature, broken JSON, no type, seen before) is dropped with one line in the
 * log; the next message is read as if nothing had happened.
 */
package io.vramlab.kernel.internal.channel;
