/**
 * Runs the Java of cells in JShell, in this process, and keeps JShell from keeping what it should let go.
 *
 * <p>
 * There are two engines behind one interface, {@link io.vramlab.kernel.internal.eval.Interpreter}. The base is stock JShell, through
 * what it offers to any program: it takes a cell piece by piece. The other needs an {@link
 * io.vramlab.kernel.internal.eval.Accelerator}: a compiler that is used again compiles the cell as a whole ({@link
 * io.vramlab.kernel.internal.eval.CellCompiler}), its declarations run at once, and JShell is told of them when nobody waits ({@link
 * io.vramlab.kernel.internal.eval.Untold}). Both look at the whole cell before any of it runs ({@link
 * io.vramlab.kernel.internal.eval.CellChecker}), and both leave to JShell what only it can do: to declare again, to wait for what a
 * later cell declares.
 *
 * <p>
 * JShell splits a cell into <em>snippets</em> and compiles each into a class of its own, {@code REPL.$JShell$7}: a variable
 * is a static field of such a class, a statement is its method {@code do_it$}. Stock JShell never lets a class or a field
 * go, so these things are done here that it leaves undone:
 * <ul>
 * <li>{@link io.vramlab.kernel.internal.eval.SplitSnippet} takes such a class apart into a holder, which keeps the variables and stays,
 * and code that is thrown away when the snippet is declared again ({@link io.vramlab.kernel.internal.eval.SnippetCode});
 * <li>{@link io.vramlab.kernel.internal.eval.SnippetLoader} defines the classes of one snippet, so that they can go once another
 * has taken its place, and {@link io.vramlab.kernel.internal.eval.ShellMemory} makes JShell forget them;
 * <li>{@link io.vramlab.kernel.internal.eval.VariableFields} knows every field that holds a value, and nulls the ones whose variable was
 * declared again, dropped, or is an unnamed result of an earlier cell;
 * <li>{@link io.vramlab.kernel.internal.eval.Weaver} rewrites the classes so that stack frames read {@code In [7]} with the line
 * in that cell, loops can be stopped, and {@code System.exit} asks;
 * <li>{@link io.vramlab.kernel.internal.eval.CellControl} hands values over as objects: JShell itself would call their
 * {@code toString()}, which for a tensor may be costly.
 * </ul>
 */
package io.vramlab.kernel.internal.eval;
