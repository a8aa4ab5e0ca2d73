/**
 * PyTorch's caching allocator in Java, and what is told of it: statistics, summary, history, snapshots.
 *
 * <p>
 * Asking a GPU's driver for memory is slow and waits for all running work, so frameworks keep what they got. The words:
 *
 * <dl>
 * <dt>segment</dt>
 * <dd>one range obtained from the driver; 2 MiB for small requests, 20 MiB for middling ones, its own size (rounded to
 * 2 MiB) from 10 MiB on</dd>
 * <dt>block</dt>
 * <dd>a piece of a segment: handed out, waiting for a stream, or free</dd>
 * <dt>pool</dt>
 * <dd>the free blocks of one kind: small (requests up to 1 MiB) or large</dd>
 * <dt>split</dt>
 * <dd>a free block larger than needed is cut: the front is handed out, the tail stays free</dd>
 * <dt>requested, allocated, active, reserved</dt>
 * <dd>bytes asked for; of blocks handed out; of blocks handed out or waiting for a stream; of segments</dd>
 * <dt>cached</dt>
 * <dd>reserved but not allocated</dd>
 * <dt>inactive split</dt>
 * <dd>a free block with neighbours: cached memory that cannot be given back</dd>
 * <dt>fragmentation</dt>
 * <dd>1 - allocated / reserved</dd>
 * </dl>
 *
 * <pre>
 *   small segment, 2 MiB                       large segment, 20 MiB
 *   +------+---------+------------------+      +---------------+------------------------------+
 *   | 1000 | 1048576 |       free       |      |    3145728    |             free             |
 *   +------+---------+------------------+      +---------------+------------------------------+
 *   0      1024      1049600      2097152      0               3145728                 20971520
 *     |        |            |                        |                       |
 *     allocated: blocks     inactive split           allocated               inactive split
 * </pre>
 *
 * <p>
 * A request of 1000 bytes is rounded to 1024 and cut from the front of a free small block; when it is freed it joins its
 * free neighbours again. A block serves only the stream that its segment was made on. When the driver has no room, whole
 * free segments are given back and it is asked again; only then is memory out.
 *
 * <p>
 * {@link io.vramlab.memory.Cuda} has the functions of {@code torch.cuda}, {@link io.vramlab.memory.Allocator} is what
 * tensors use, {@link io.vramlab.memory.CachingAllocator} does it.
 */
package io.vramlab.memory;
