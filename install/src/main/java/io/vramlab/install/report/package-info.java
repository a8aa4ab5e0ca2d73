/**
 * Memory histories told as a reader needs them: what was held and when, why a request failed, and what would have helped.
 *
 * <p>
 * {@link io.vramlab.install.report.Story} follows a snapshot's history event by event; {@link io.vramlab.install.report.Diagnosis}
 * names the cause of a failure from its figures; {@link io.vramlab.install.report.SnapshotReport} writes both as a notebook.
 */
package io.vramlab.install.report;
