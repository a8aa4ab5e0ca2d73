/**
 * What the kernel does when the Java heap is full. The cell that met the end of it has failed; but what filled it may be
 * held by variables, and then there is no memory to compile the next cell with, not even {@code list = null}. So
 * {@link io.vramlab.kernel.internal.heap.FullHeap} sees to it that there is, and takes from the notebook what it must and no more:
 * first the threads that the cell left, then classes whose initialiser failed, then the variables and static fields that
 * the cell declared or names, the heaviest first, then others, then the threads of other cells. What was taken is told.
 */
package io.vramlab.kernel.internal.heap;
