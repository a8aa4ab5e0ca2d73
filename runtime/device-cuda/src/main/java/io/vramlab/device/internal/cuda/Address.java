package io.vramlab.device.internal.cuda;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

/** A device address as JCuda wants it, and back: JCuda keeps the number to itself. */
final class Address extends CUdeviceptr {

    /** Null, for a call to fill in. */
    Address() {
    }

    /** A known address. */
    Address(long address) {
        super(new Address(), address);
    }

    long value() {
        return getNativePointer() + getByteOffset();
    }

    /** A host pointer whose number can be read. */
    static final class Host extends Pointer {

        long value() {
            return getNativePointer();
        }
    }
}
