/**
 * Compares our kernel with the JDK: the same cells must print, show, throw and leave in variables the same.
 *
 * <p>
 * A {@link io.vramlab.kernel.judge.Side} runs {@link io.vramlab.kernel.judge.CellSequence}s and tells what is
 * {@link io.vramlab.kernel.judge.Seen} of each cell. There are three:
 * <ul>
 * <li>{@link io.vramlab.kernel.judge.OurKernel}, our interpreter, with or without the way around JShell;
 * <li>{@link io.vramlab.kernel.judge.PlainProgram}, which writes a session as a class ({@link io.vramlab.kernel.judge.PlainSource}:
 * types and methods are its static members, variables its fields, each cell is a method), has a hundred of them compiled by
 * one javac and run by one JVM;
 * <li>{@link io.vramlab.kernel.judge.StockShell}, the JDK's JShell in a process of its own, for what a plain program cannot
 * say: declaring again, calling what is not declared yet, errors of the compiler in the middle.
 * </ul>
 *
 * <p>
 * {@link io.vramlab.kernel.judge.Generator} makes a session from a seed, out of {@link io.vramlab.kernel.judge.Feature}s of the
 * language; {@link io.vramlab.kernel.judge.Redeclarations} makes those for JShell. {@link io.vramlab.kernel.judge.Judge} has them
 * run, and {@link io.vramlab.kernel.judge.Shrinker} leaves out the cells of a session that differs which do not matter.
 * Generated code prints no address, no identity hash, no time, and nothing whose order threads or hashes decide.
 *
 * <p>
 * What is not compared, and nothing else: the names of what cells' classes are nested in; the messages of exceptions that the
 * JVM writes from such names and from variables' ({@code NullPointerException}, {@code ClassCastException} and their like); the
 * words in which a cell is refused; addresses of arrays. And one rule for redeclarations: JShell gives a variable back its
 * default when what its declaration names is declared again, and we keep its value. {@link io.vramlab.kernel.judge.StockMain} hears
 * of that by JShell's own events, puts the value back, and goes on; where that cannot be done (a lambda that would go on naming
 * what was replaced, a type that has changed) the variable is marked and the session is not compared from that cell on.
 */
package io.vramlab.kernel.judge;
