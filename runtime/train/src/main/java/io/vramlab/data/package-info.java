/**
 * Feeding models: data sets, and loaders that cut them into batches.
 *
 * <p>
 * A loader's batches lie where the data set lies, usually on the host; moving them to the device is the loop's business,
 * and costs device memory only then. Workers prepare batches ahead in threads of their own: host memory, never device
 * memory, unless the data set itself is on the device.
 */
package io.vramlab.data;
