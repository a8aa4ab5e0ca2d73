package io.vramlab.device.internal.model;

/** Host memory that stands for device memory: address space first, pages when touched. */
public interface Backing {

    /** A backing for devices whose memory has no contents. */
    Backing NONE = new Backing() {
        @Override
        public boolean addWindow(long address, long bytes) {
            return true;
        }

        @Override
        public void discard(long address, long bytes) {
            // nothing was ever there
        }
    };

    /**
     * Provides for a window of device addresses; takes no memory until it is touched.
     *
     * @return false if the host's address space has no room
     */
    boolean addWindow(long address, long bytes);

    /** Gives the pages wholly inside a range back to the host; what they held is lost. */
    void discard(long address, long bytes);
}
