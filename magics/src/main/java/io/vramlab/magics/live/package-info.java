/**
 * The tensors that are alive, with the names a person knows them by: the variable, the module's parameter path, the
 * element of a collection, or the operation that saved them for backward.
 */
package io.vramlab.magics.live;
