/** Draws segments and their blocks to scale. */
package io.vramlab.magics.map;
