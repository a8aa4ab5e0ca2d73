package io.vramlab.tensor.type;

/** In which order the elements of [n, channels, …] lie in memory. */
public enum MemoryFormat {
    /** Row-major. */
    CONTIGUOUS,
    /** The channels of [n, c, h, w] side by side. */
    CHANNELS_LAST,
    /** The channels of [n, c, d, h, w] side by side. */
    CHANNELS_LAST_3D
}
