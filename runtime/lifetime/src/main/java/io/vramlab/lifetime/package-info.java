/**
 * Python's lifetimes for Java: {@link io.vramlab.lifetime.Weaver} rewrites classes so that a tensor is closed when CPython
 * would free it. {@link io.vramlab.lifetime.CountingCode} writes one method, over an {@link
 * io.vramlab.lifetime.OperandStack} that tells which value is held where; {@link io.vramlab.lifetime.MethodReferences}
 * makes lambdas of what could not be woven; the collections count what they hold. What the woven code calls is {@link
 * io.vramlab.tensor.Lifetimes}.
 */
package io.vramlab.lifetime;
