/** Small writers of text that tables and pictures share: sizes, escaped HTML, sparklines. */
package io.vramlab.magics.text;
