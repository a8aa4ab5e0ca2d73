/** The kernel's own magics: class path, time, variables, history, environment, shell. */
package io.vramlab.kernel.internal.magic.builtin;
