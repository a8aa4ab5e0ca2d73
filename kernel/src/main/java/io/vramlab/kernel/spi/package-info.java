/**
 * What plugs into the kernel: magics, cell listeners, renderers. The kernel knows nothing of tensors; everything of
 * theirs reaches it through these interfaces, found by {@link java.util.ServiceLoader}. Adding a magic is adding one
 * class and one line in {@code META-INF/services/io.vramlab.kernel.spi.Magic}.
 *
 * <p>
 * Stack frames of user code: the kernel rewrites the classes that JShell generates so that a frame's file name is
 * {@code "In [7]"} and its line number is the line within that cell. Whoever walks the stack (the runtime's call sites)
 * needs to know nothing else about notebooks.
 */
package io.vramlab.kernel.spi;
