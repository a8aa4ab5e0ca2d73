/**
 * The examples of five articles on GPU memory, and variants of them, as Java programs: each marks what the allocator
 * holds after its statements, under the label that the recorder of PyTorch's run gave the same moment.
 *
 * <p>
 * Python names are {@link io.vramlab.tensor.Ref}s here: they are rebound once the new value exists, and what a name held
 * goes then. That, and nothing else, is what makes the figures comparable mark by mark.
 */
package io.vramlab.conformance.articles;
