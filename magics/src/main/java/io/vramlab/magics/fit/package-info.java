/**
 * How large a batch may be: the user's code runs on a shapes-only GPU, which allocates as a real one does and computes
 * nothing, with one size after the other.
 */
package io.vramlab.magics.fit;
