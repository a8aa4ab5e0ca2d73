package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

import io.vramlab.kernel.spi.text.Visible;

/**
 * What commands print: names and messages from files may hold sequences that speak to the terminal, and are made visible
 * here, whatever printed them. Lines that are drawn over themselves go past it, by {@link #raw}.
 */
final class TerminalText extends PrintWriter {

    private final PrintWriter terminal;

    /** Before a writer. */
    TerminalText(PrintWriter terminal) {
        super(new Filter(terminal), true);
        this.terminal = terminal;
    }

    /** What stands behind it; a writer that has nothing before it is given back. */
    static PrintWriter raw(PrintWriter writer) {
        return writer instanceof TerminalText text ? text.terminal : writer;
    }

    private static final class Filter extends Writer {

        private final PrintWriter out;

        Filter(PrintWriter out) {
            this.out = out;
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            String written = new String(text, from, length);
            out.write(written.equals(System.lineSeparator()) ? written : Visible.text(written));
        }

        @Override
        public void flush() {
            out.flush();
        }

        @Override
        public void close() {
            out.close();
        }
    }
}
