package io.vramlab.install.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.vramlab.kernel.spi.text.Markdown;

/** A notebook of text as reports are written, with names in headings, sentences and tables. */
public final class HostileReport {

    private static final int ROWS = 100;

    private HostileReport() {
    }

    /** Writes it: every name three times. */
    public static void write(Path file, List<String> names) throws IOException {
        NotebookText notebook = new NotebookText();
        for (int from = 0; from < names.size(); from += ROWS) {
            List<String> some = names.subList(from, Math.min(names.size(), from + ROWS));
            notebook.markdown(Tables.markdown(List.of("name", "and"),
                    some.stream().map(name -> List.of(name, "x" + name)).toList()));
            StringBuilder text = new StringBuilder();
            some.forEach(name -> text.append("# ").append(Markdown.escape(name)).append("\n\nRecorded under ")
                    .append(Markdown.escape(name)).append(".\n\n"));
            notebook.markdown(text.toString());
        }
        Files.writeString(file, notebook.json());
    }
}
