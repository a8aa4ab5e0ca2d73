package io.vramlab.kernel.internal.channel;

/** The sockets that carry messages. */
public enum Channel {
    /** Requests, answered one after another. */
    SHELL,
    /** Requests that are answered while a cell runs. */
    CONTROL,
    /** The kernel's questions to the user. */
    STDIN,
    /** What every frontend sees: output, values, status. */
    IOPUB
}
