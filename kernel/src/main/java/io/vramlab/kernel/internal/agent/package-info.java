/** Lets a method or class that is declared again be replaced in place, so that existing objects run the new code. */
package io.vramlab.kernel.internal.agent;
