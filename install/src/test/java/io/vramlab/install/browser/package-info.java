/** A real browser before a real JupyterLab, for what only eyes can judge. */
package io.vramlab.install.browser;
