package io.vramlab.device;

import java.util.Map;
import java.util.Optional;

/**
 * Tells how a library of convolutions would compute one on a GPU that need not be there. Found through
 * {@link java.util.ServiceLoader}; there is one, which asks cuDNN.
 */
public interface ConvolutionHeuristics {

    /**
     * The way that was chosen.
     *
     * @param bytes
     *            what it works in, as the library tells it
     * @param engine
     *            the library's number of it; -1 if only its bytes are known
     * @param choices
     *            its settings: the library's numbers of them, and the value of each
     * @param capability
     *            ten times the compute capability of the GPU that it was asked about, as 86; 0 if that is not told
     */
    record Answer(long bytes, int engine, Map<Integer, Long> choices, int capability) {

        private static final int UNKNOWN = -1;

        /** Keeps a copy of the settings. */
        public Answer {
            choices = Map.copyOf(choices);
        }

        /** Of a GPU that is not told. */
        public Answer(long bytes, int engine, Map<Integer, Long> choices) {
            this(bytes, engine, choices, 0);
        }

        /** Of which only the bytes are known. */
        public static Answer of(long bytes) {
            return new Answer(bytes, UNKNOWN, Map.of());
        }

        /** Whether it was asked about a GPU of that device's compute capability. */
        public boolean isAbout(DeviceProperties device) {
            return capability == 10 * device.major() + device.minor();
        }

        /** Whether more than the bytes is known. */
        public boolean isWayKnown() {
            return engine != UNKNOWN;
        }
    }

    /** Which library is asked, with its version; empty if this machine has none that can be asked. */
    Optional<String> library();

    /**
     * Asks for one product of a convolution.
     *
     * @param call
     *            the product; addresses count only by what they are multiples of, 0 is one of everything
     * @param device
     *            the GPU that would compute it
     * @return empty if there is no library, or none of its ways is offered for that product without a GPU
     */
    Optional<Answer> answer(ConvolutionCall call, DeviceProperties device);
}
