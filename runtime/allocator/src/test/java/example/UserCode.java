package example;

import io.vramlab.memory.Allocator;

/** A user's program: outside VramLab's packages, so that its frames are the user's. */
public final class UserCode {

    /** The line on which {@link #makeBuffer} allocates. */
    public static final int LINE = 15;

    private UserCode() {
    }

    public static long makeBuffer(final Allocator allocator) {
        return allocator.allocate(1000, 0);
    }
}
