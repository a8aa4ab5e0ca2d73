/**
 * Models of what a GPU's driver does with addresses, shared by the devices that have no driver: the simulated GPU and the
 * shapes-only one.
 *
 * <p>
 * {@link io.vramlab.device.internal.model.AddressSpace} chooses addresses as NVIDIA's Linux driver was seen to choose them;
 * {@link io.vramlab.device.internal.model.ModelMemory} keeps the accounts (capacity, what is allocated, what is mapped);
 * {@link io.vramlab.device.internal.model.IntervalSet} is the set of bytes both speak of. Nothing here touches the contents of
 * memory: who has contents passes a {@link io.vramlab.device.internal.model.Backing}.
 */
package io.vramlab.device.internal.model;
