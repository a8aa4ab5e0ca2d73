/**
 * What to do about code that does not compile, in a sentence: the import that is missing, the name that is nearest, Java for
 * what was written in Python. Nothing here is looked at before the compiler has refused a cell, and nothing changes what runs.
 */
package io.vramlab.kernel.internal.hint;
