/**
 * Why memory ran out, or would have: small {@link io.vramlab.install.diagnosis.Detector}s look at one history's
 * {@link io.vramlab.install.diagnosis.Evidence} each for one kind of cause, and {@link io.vramlab.install.diagnosis.Diagnosis} weighs
 * what they found. {@link io.vramlab.install.diagnosis.Figures} says from the sums alone whether use and request would have fitted.
 */
package io.vramlab.install.diagnosis;
