/**
 * The user's own source, read without running it: {@link io.vramlab.install.source.PythonFile} tells statements apart by lines,
 * brackets and columns, {@link io.vramlab.install.source.UserProgram} finds those that a snapshot's frames name, and
 * {@link io.vramlab.install.source.Turn} says what a history cannot: whether a backward pass comes in each turn of a loop, after
 * all of them or never, and what becomes of the result. {@link io.vramlab.install.source.SourceLines} names the lines that keep what a
 * call made, set its size or catch its error. {@link io.vramlab.install.source.SourceFiles} says which files may be read.
 */
package io.vramlab.install.source;
