/**
 * The checks of the course's exercises. A lesson leaves a method to be written and a cell that calls
 * {@link io.vramlab.magics.course.Exercise#check}: its value says in a line whether the answer holds, and if not, what was
 * expected, what is there, and a hint. An answer that does not hold is ordinary output, not an error, so a notebook whose
 * exercises are still empty runs to its end. Where a grader runs the notebook it is an error ({@link io.vramlab.magics.course.Grading}).
 */
package io.vramlab.magics.course;
