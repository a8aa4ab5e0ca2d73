/**
 * Mixed precision: {@link io.vramlab.amp.Autocast} runs matrix products in half precision, {@link io.vramlab.amp.GradScaler}
 * keeps small gradients from vanishing in it.
 *
 * <p>
 * What it saves and what it costs: activations of the products take half the bytes; parameters, their gradients and the
 * optimizer's state stay float32, and each parameter gains a half copy that lives while the region lasts, longer where
 * backward needs it. So memory falls where activations dominate and rises where parameters do.
 */
package io.vramlab.amp;
