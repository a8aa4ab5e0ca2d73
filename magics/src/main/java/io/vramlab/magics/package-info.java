/**
 * Every {@code %} and {@code %%} command: one class per magic. What they show is measured by the runtime
 * ({@code io.vramlab.memory}, {@code io.vramlab.tensor}); what they are told about variables and cells comes from the
 * kernel's {@code io.vramlab.kernel.spi}. Each gives a Tablesaw table as its value.
 */
package io.vramlab.magics;
