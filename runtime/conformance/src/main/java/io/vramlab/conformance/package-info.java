/**
 * Judges tensors, autograd and optimizers against recordings of PyTorch: random programs, single operations, reductions.
 *
 * <p>
 * A recording says what PyTorch's allocator held after each statement and at most during it. The same statements are run
 * here on a simulated device with the recorded GPU's processor figures, and the differences counted. Into a run flow the
 * recording's statements with their shapes, dtypes and seeds, the sizes and the GPU it was made with, and:
 *
 * <ul>
 * <li>articles: the addresses that the driver gave PyTorch's allocator ({@link io.vramlab.conformance.ArticleConformance}),
 * and the environment variables of cuBLAS's workspaces;
 * <li>operations: for convolutions' backward alone, whose workspace is cuDNN's choice, the recorded sequence, which warms
 * the cache up for the rows after it; that row is not compared;
 * <li>programs: the recorded figures choose among orders of a program's segments. A program that is equal under another
 * order than ours only is set apart, on a line and in a count of its own.
 * </ul>
 *
 * <p>
 * Recorded figures flow nowhere else: they are compared with.
 */
package io.vramlab.conformance;
