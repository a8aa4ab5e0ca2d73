/**
 * Text from elsewhere (names in files, variables, messages) made harmless where it is shown: one class for each language
 * that it is shown in. {@link io.vramlab.kernel.spi.text.Html} for HTML, {@link io.vramlab.kernel.spi.text.Markdown} for
 * notebooks' text cells, {@link io.vramlab.kernel.spi.text.Visible} for terminals, plain text and as the first step of the
 * others; words of a magic's line are quoted by {@link io.vramlab.kernel.spi.option.Words#quoted}. Nothing else escapes.
 */
package io.vramlab.kernel.spi.text;
