/**
 * Python's lifetimes for Java: {@link io.vramlab.lifetime.Weaver} rewrites classes so that a tensor is closed when CPython
 * would free it. {@link io.vramlab.lifetime.CountingCode} writes one method, over an {@link
 * io.vramlab.lifetime.OperandStack} that tells which value is held where. {@link io.vramlab.lifetime.Variables} knows which
 * variable of the source a slot is, {@link io.vramlab.lifetime.CountingFrame} the room in which values are held, {@link
 * io.vramlab.lifetime.CallSite} what a call does to its arguments, {@link io.vramlab.lifetime.Types} what is known of types.
 * {@link io.vramlab.lifetime.MethodReferences} makes lambdas of what could not be woven. The collections count what they hold
 * by {@link io.vramlab.lifetime.Contents}. What the woven code calls is {@link io.vramlab.tensor.Lifetimes}.
 */
package io.vramlab.lifetime;
