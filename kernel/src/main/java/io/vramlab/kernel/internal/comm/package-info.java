/** Comms: lines that frontends open to code in this process. */
package io.vramlab.kernel.internal.comm;
