package io.vramlab.device;

/**
 * The ways in which work on a device goes wrong after it was launched. A GPU tells of them late, at the next call that
 * waits for the work, and then at every call: the context is lost. The texts are CUDA's.
 */
public enum DeviceFault {
    /** A kernel found its data wrong, for instance an index out of range (cudaErrorAssert, 710). */
    DEVICE_SIDE_ASSERT("device-side assert triggered"),
    /** A kernel or copy touched an address with no memory behind it (cudaErrorIllegalAddress, 700). */
    ILLEGAL_ADDRESS("an illegal memory access was encountered"),
    /** A kernel could not be run at all (cudaErrorLaunchFailure, 719). */
    LAUNCH_FAILURE("unspecified launch failure");

    private final String text;

    DeviceFault(String text) {
        this.text = text;
    }

    /** {@return CUDA's words for it} */
    public String text() {
        return text;
    }
}
