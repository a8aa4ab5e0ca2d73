/**
 * How tensors look where a cell shows them: the numbers as PyTorch prints them, and in HTML above them what the numbers
 * do not tell. Looking at a tensor changes no figure of its device.
 */
package io.vramlab.magics.value;
