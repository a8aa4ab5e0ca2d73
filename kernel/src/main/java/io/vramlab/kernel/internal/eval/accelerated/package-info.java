/**
 * Everything of the kernel that reaches into what JShell and javac do not offer to programs: a pool of compilers, and the
 * lists in which JShell keeps what it never looks at again. Another release may change any of it. So nothing depends on
 * this package but the one line that names {@link io.vramlab.kernel.internal.eval.accelerated.JShellInsides}, cells run the same
 * without it, and the first failure of any kind ends its use for the session.
 */
package io.vramlab.kernel.internal.eval.accelerated;
