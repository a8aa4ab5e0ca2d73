/**
 * Other looks at the same memory, and tensors put side by side. Views take no memory; begin at
 * {@link io.vramlab.tensor.internal.ops.view.Views}.
 */
package io.vramlab.tensor.internal.ops.view;
