package io.vramlab.device;

import java.lang.foreign.MemorySegment;

/** A driver of host memory whose kernels can be let work on memory that somebody else allocated: page-locked memory. */
public interface HostAdoption {

    /**
     * Lets kernels and copies use the memory; it is not counted and not freed here.
     *
     * @param memory
     *            as allocated; must stay valid until {@link #disown}
     */
    void adopt(MemorySegment memory);

    /**
     * Ends that.
     *
     * @param memory
     *            the same segment
     */
    void disown(MemorySegment memory);
}
