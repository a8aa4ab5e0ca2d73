/**
 * Claims about GPU memory, settled by measurement. A notebook runs an example and sets {@link io.vramlab.magics.claim.Marks};
 * they stand beside what PyTorch 2.11 recorded for the same program on an H200
 * ({@link io.vramlab.magics.claim.Recorded}); {@link io.vramlab.magics.claim.Claims} collects what was said, what was
 * measured, and the {@link io.vramlab.magics.claim.Verdict} that the figures give. A recorded figure is only ever an
 * expectation to compare with, never a measurement.
 */
package io.vramlab.magics.claim;
