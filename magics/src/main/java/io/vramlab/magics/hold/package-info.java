/**
 * Why something is still alive: a walk over the objects that are reachable from the session's variables, from the fields
 * of replaced variables' classes, and from the static fields of the user's classes.
 *
 * <p>
 * The walk is breadth first, so the first path to an object is a shortest one. It reads fields by reflection and the
 * collections of {@code java.util} through their iterators; it never calls {@code toString}, {@code equals} or
 * {@code hashCode} of the user's classes, so a hostile one does no harm. What it cannot look into (fields of the JDK's
 * other classes, threads, weak references) it leaves out, and it stops after a bounded number of objects and says so.
 */
package io.vramlab.magics.hold;
