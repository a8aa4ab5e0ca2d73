/**
 * Advice with proof: what a diagnosis suggests is done to the recorded history, which the allocator then runs again
 * ({@link io.vramlab.memory.internal.whatif.WhatIf}). {@link io.vramlab.install.advice.Advice} says what came of it, or that it cannot be
 * replayed.
 */
package io.vramlab.install.advice;
