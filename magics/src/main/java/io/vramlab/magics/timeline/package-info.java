/** Draws what a log of memory events tells over time. */
package io.vramlab.magics.timeline;
