/**
 * Values as frontends show them: a bundle of MIME types, always with {@code text/plain}.
 *
 * <p>
 * A value is rendered by the most specific {@link io.vramlab.kernel.spi.Renderer} for its class; else, if it is something
 * that jupyter-jvm-basekernel knows how to show, by that library; else by its {@code toString()}.
 */
package io.vramlab.kernel.internal.display;
