/**
 * What may follow the name of a magic: flags, options with a value, words. One declaration gives the parser, the
 * {@code --help} text, the completion, and messages in three parts: what was asked, what is true, what to do.
 */
package io.vramlab.kernel.spi.option;
