/**
 * Saved notebooks as evidence: reading them, running them again in a fresh kernel, and telling what differs.
 *
 * <p>
 * The kernel is spoken to as Jupyter does it, over its five sockets, so nothing of Jupyter or Python has to be present, and what is compared is
 * what a reader would have seen. Times, addresses and object identities differ from run to run and are not compared; everything else is.
 */
package io.vramlab.install.notebook;
