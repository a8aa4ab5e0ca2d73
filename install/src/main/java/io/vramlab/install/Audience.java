package io.vramlab.install;

/** For whom something is installed. Only the owner may change it in any case: it is code that runs as whoever starts the kernel. */
enum Audience {
    /** The user: what the umask keeps from others stays so. */
    OWNER,
    /** Everybody on the machine, whatever the umask. */
    ALL
}
