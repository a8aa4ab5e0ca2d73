/**
 * Python's pickle format as far as data needs it: lists, dictionaries, tuples, strings, numbers, booleans and None. The
 * reader refuses everything that would build a Python object; the writer uses only the opcodes that PyTorch's memory_viz
 * page understands.
 */
package io.vramlab.memory.internal.pickle;
