package io.vramlab.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Promises how much of a GPU's memory a test takes at most; it fails with the operation and line that went past it. Without
 * {@link #trace} the test itself is run on a shapes-only GPU, which is the current device while it runs.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(GpuMemoryExtension.class)
public @interface GpuMemory {

    /** The most bytes that may be allocated at once, as {@code 1.9 GiB}, {@code 512 MiB} or {@code 4096}. */
    String peak();

    /** The GPU, by a profile's name or a capacity. */
    String device() default "H100-80GB";

    /** A recording of a PyTorch program, a path from the working directory. */
    String trace() default "";

    /** A recording of the same program as it was: the message then says which lines grew. */
    String baseline() default "";

    /**
     * The allocator's settings of a recording, as in {@code PYTORCH_CUDA_ALLOC_CONF}; with expandable segments, as Java programs
     * are counted too, nothing that is left of a cached block hides a growth.
     */
    String settings() default "expandable_segments:True";
}
