/** Small writers of text that tables and pictures share: sizes, sparklines. */
package io.vramlab.magics.text;
