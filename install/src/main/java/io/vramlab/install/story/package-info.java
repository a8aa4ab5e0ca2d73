/**
 * A recorded memory history made readable: {@link io.vramlab.install.story.Story} follows it event by event,
 * {@link io.vramlab.install.story.Lives} tells when each block came and went, {@link io.vramlab.install.story.Places} which of the
 * user's lines asked for it and in which phase of training, and {@link io.vramlab.install.story.LoopSteps} finds the repeating part.
 */
package io.vramlab.install.story;
