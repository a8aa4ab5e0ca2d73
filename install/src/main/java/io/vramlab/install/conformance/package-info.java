/**
 * Judging the runtime against recordings of PyTorch: which kind of recording a file is, what replays it, and how the outcome is told.
 */
package io.vramlab.install.conformance;
