package io.vramlab.kernel.magic.builtin;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code %load FILE}: runs a file of snippets as if its text stood in the cell. */
public final class LoadMagic implements Magic {

    @Override
    public String name() {
        return "load";
    }

    @Override
    public String summary() {
        return "Runs a .jsh or .java file as part of the cell.";
    }

    @Override
    public Object run(MagicCall call) throws Exception {
        List<String> words = Words.of(call.arguments());
        if (words.size() != 1) {
            throw new UsageException("%%load takes one file, not %d. Write %%load FILE".formatted(words.size()));
        }
        Path file = Path.of(words.getFirst());
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new UsageException("%%load %s: it cannot be read (%s). It was looked for in %s".formatted(file,
                    e.getClass().getSimpleName(), Path.of("").toAbsolutePath()));
        }
        return call.session().evaluate(text.replaceFirst("\\A\\s*package [^;]+;", ""), 1);
    }
}
