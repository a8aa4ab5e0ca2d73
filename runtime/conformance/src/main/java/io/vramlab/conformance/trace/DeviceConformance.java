package io.vramlab.conformance.trace;

/**
 * How a recording compared when a device's own memory was behind the allocator.
 *
 * @param recordedOrder
 *            with the addresses in the recording's order: everything is compared
 * @param tied
 *            with the device's own addresses: operations after which a statistic differed. They follow from the order of
 *            addresses alone when the recorded order shows no mismatch
 */
public record DeviceConformance(Conformance recordedOrder, int tied) {
}
