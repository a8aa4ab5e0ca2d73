package io.vramlab.device;

import java.lang.foreign.MemorySegment;

/**
 * Device memory that the host's own processor can read and write: the simulated GPU and host memory. Kernels written in
 * Java work through this and nothing else.
 */
public interface HostAccess {

    /**
     * The memory behind a range of device addresses, for use within the current kernel only.
     *
     * @param address
     *            first device address
     * @param bytes
     *            length in bytes; 0 gives an empty segment whatever the address
     * @return a segment of exactly {@code bytes} bytes, not aligned beyond what the address is
     * @throws DeviceFaultException
     *             {@link DeviceFault#ILLEGAL_ADDRESS} if the range is not wholly inside one allocation or mapped range.
     *             A kernel lets it pass: the driver turns it into a late error where the device is one that has them
     */
    MemorySegment at(long address, long bytes);

    /**
     * Tells of data that a kernel cannot work with, for instance an index out of range. On a device with late errors the
     * call returns and the kernel goes on to its end with whatever values it likes, touching no other memory; on the CPU
     * it throws at once.
     *
     * @param fault
     *            the kind
     * @param detail
     *            what was found, for instance "index 10 is out of bounds for dimension 0 with size 5"
     */
    void fault(DeviceFault fault, String detail);
}
