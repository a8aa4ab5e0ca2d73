package io.vramlab.kernel.judge;

/** A type of a name that users like, which the session imports. */
public interface Shape {
}
