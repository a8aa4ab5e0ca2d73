/**
 * The {@code vramlab} command: what puts the kernel into a Jupyter, starts it, looks at the machine, and judges the allocator against
 * recordings of PyTorch.
 *
 * <p>
 * A <em>distribution</em> is {@code vramlab.jar} with the jars it names beside it in {@code lib/}. Installing copies it into a folder named by
 * the hash of its content, writes a <em>kernelspec</em> (the folder with {@code kernel.json} by which Jupyter knows a kernel), and records
 * start-up work in an ahead-of-time cache. So an installed kernel outlives a clean build, two versions never mix, and the cache, which the JVM
 * would go on using silently after a jar was replaced, always belongs to the jars beside it.
 */
package io.vramlab.install;
