package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.source.Saying;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/** Blocks that cuBLAS works in: one for each stream that ever multiplied, kept for good. */
final class WorkspaceBlocks implements Detector {

    /**
     * ATen's default sizes of a workspace: 4096 KiB twice and 16 KiB eight times before Hopper (8,519,680 bytes), 32 MiB from it on;
     * cuBLASLt's of its own 1 MiB and, from Hopper on, 32 MiB.
     */
    private static final Set<Long> SIZES = Set.of(8_519_680L, 33_554_432L, 33_562_624L, 1_048_576L);
    private static final long SMALLEST = 1_048_576L;
    private static final int NEAR = 2;
    private static final double MOST_OF_IT = 0.5;

    /** cuBLAS's and cuBLASLt's may have one size. */
    private static final int EACH_STREAM = 2;
    /** One stream's, and another's that overlaps with it, are what every program has that multiplies. */
    private static final int SEVERAL_STREAMS = 3;
    /** So many results a line has for each thread at the least: cuBLASLt's workspace is one of the others. */
    private static final int RESULTS = 2;
    private static final double AMONG = 0.9;
    /** Somebody who lets all go, and empties the cache to see what is left, asks for this. */
    private static final double ALONE = 0.97;
    /** A layer that was tried once: weights, input, result, and a loss of it perhaps. */
    private static final int FEW = 16;

    /** Whether a block is of a workspace's size, and one of two of it on its stream at the most, or a thread's. */
    static boolean isOne(Evidence e, int block) {
        Lives lives = e.lives();
        return SIZES.contains(lives.bytes(block)) && (lives.bytes(block) > SMALLEST || followsLarger(e, block))
                && (e.alive(other -> lives.bytes(other) == lives.bytes(block)
                        && lives.stream(other) == lives.stream(block)).length <= EACH_STREAM
                        || e.workspacesOfThreads().get(block));
    }

    /** Of the blocks in use at the decisive moment those that the history alone shows to be threads' workspaces. */
    static BitSet ofThreads(Evidence e) {
        Lives lives = e.lives();
        int[] kept = e.alive(block -> lives.born(block) >= 0 && SIZES.contains(lives.bytes(block)));
        BitSet blocks = new BitSet();
        if (comeTogether(e, kept)) {
            Arrays.stream(kept).forEach(blocks::set);
        } else if (areBesideResults(e, large(e, kept))) {
            Arrays.stream(large(e, kept)).forEach(blocks::set);
        }
        return blocks;
    }

    /** A weight may have 1 MiB, and comes long before the first multiplication; cuBLASLt's workspace comes after cuBLAS's or just before. */
    private static boolean followsLarger(Evidence e, int block) {
        Lives lives = e.lives();
        return e.alive(other -> SIZES.contains(lives.bytes(other)) && lives.bytes(other) > SMALLEST
                && lives.born(other) <= lives.born(block) + NEAR).length > 0;
    }

    @Override
    public Optional<Finding> look(Evidence e) {
        Lives lives = e.lives();
        int end = e.failed() ? e.at() : e.story().events().size() - 1;
        int[] all = Arrays.stream(lives.aliveAt(end))
                .filter(block -> lives.born(block) >= 0 && SIZES.contains(lives.bytes(block)))
                .toArray();
        long streams = Arrays.stream(all).mapToLong(lives::stream).distinct().count();
        // results may have 1 MiB too
        int[] kept = all.length > EACH_STREAM * streams && areBesideResults(e, large(e, all)) ? large(e, all) : all;
        long sum = lives.sum(kept);
        boolean much = sum >= MOST_OF_IT * (e.failed() ? e.needed() : e.story().live(e.story().peak()));
        boolean ofThreads = isOfThreads(e, kept);
        boolean ofStreams = kept.length <= EACH_STREAM * streams
                && (streams >= SEVERAL_STREAMS || !e.failed() && isPuzzle(e, kept.length));
        if (kept.length == 0 || !much || !ofStreams && !ofThreads) {
            return Optional.empty();
        }
        return Optional.of(new Finding(
                CauseKind.WORKSPACE, Certainty.LIKELY, e.chiefLine(kept, false), "",
                !e.failed() && isPuzzle(e, kept.length) ? ALONE : AMONG, List.of(
                        Sizes.both(sum) + " in " + Sizes.exact(kept.length) + " blocks of a workspace's size are "
                                + (e.failed() ? "there when the request fails, " : "left at the end, ")
                                + (ofStreams
                                        ? "at most two for each of " + streams
                                                + (streams == 1 ? " stream." : " streams.")
                                        : "as each thread that multiplies takes with a handle of its own.")),
                "torch._C._cuda_clearCublasWorkspaces() gives them back", Blamed.of(kept)));
    }

    /**
     * Whether threads took them: the program names threads, or the history shows that a handle was made again and again. That a stack begins
     * in a thread says nothing: a server's or a worker's weights are made in one too, and 4,096 x 4,096 of 16 bits have 32 MiB. cuBLASLt's workspace comes with cuBLAS's, one for each; more blocks of its size are something else.
     */
    private static boolean isOfThreads(Evidence e, int[] kept) {
        int[] large = large(e, kept);
        return large.length >= SEVERAL_STREAMS && kept.length <= EACH_STREAM * large.length
                && (e.program().says(Saying.THREAD) || comeTogether(e, kept) || areBesideResults(e, large));
    }

    /**
     * Whether a line's calls made them beside their results, now and then, and none was ever let go of, as each thread's first product does
     * in a pool of threads: what a line keeps of each call is there as often as it is called.
     */
    private static boolean areBesideResults(Evidence e, int[] large) {
        if (!e.hasStacks() || large.length < SEVERAL_STREAMS) {
            return false;
        }
        Lives lives = e.lives();
        Set<Integer> sites = new HashSet<>();
        Set<Long> sizes = new HashSet<>();
        for (int block : large) {
            sites.add(lives.site(block));
            sizes.add(lives.bytes(block));
        }
        int[] ofSites = IntStream.range(0, lives.count())
                .filter(block -> lives.born(block) >= 0 && lives.born(block) <= e.at()
                        && sites.contains(lives.site(block)))
                .toArray();
        long alike = Arrays.stream(ofSites).filter(block -> sizes.contains(lives.bytes(block))).count();
        return alike == large.length && ofSites.length - alike >= RESULTS * alike;
    }

    /** Whether both workspaces are there as often, and came together after work several times. */
    private static boolean comeTogether(Evidence e, int[] kept) {
        int[] large = large(e, kept);
        int[] small = Arrays.stream(kept).filter(block -> e.lives().bytes(block) == SMALLEST).toArray();
        return large.length >= SEVERAL_STREAMS && small.length == large.length
                && handles(e, large, small) >= SEVERAL_STREAMS;
    }

    private static int[] large(Evidence e, int[] kept) {
        return Arrays.stream(kept).filter(block -> e.lives().bytes(block) > SMALLEST).toArray();
    }

    /** How often both workspaces came together, and after work: weights of these sizes come one after the other, with nothing let go of between. */
    private static long handles(Evidence e, int[] large, int[] small) {
        Lives lives = e.lives();
        long found = 0;
        int before = -1;
        for (int block : large) {
            int after = before;
            int born = lives.born(block);
            boolean together = Arrays.stream(small).anyMatch(other -> Math.abs(lives.born(other) - born) <= NEAR);
            found += together && IntStream.range(0, lives.count())
                    .anyMatch(other -> lives.died(other) > after && lives.died(other) < born) ? 1 : 0;
            before = born;
        }
        return found;
    }

    /**
     * Whether workspaces are all that is left of a program that did something once, as of a layer that was tried, or that multiplied
     * and called no model: somebody asks who holds them. Beside a small program's own tensors, or after its loop, they are no cause of anything.
     */
    private static boolean isPuzzle(Evidence e, int kept) {
        return e.lives().aliveAt(e.story().events().size() - 1).length == kept
                && (e.lives().count() <= FEW
                        || e.hasStacks() && IntStream.range(0, e.lives().count()).mapToObj(e::phase)
                                .allMatch(phase -> phase == StoryPhase.OTHER || phase == StoryPhase.UNKNOWN));
    }
}
