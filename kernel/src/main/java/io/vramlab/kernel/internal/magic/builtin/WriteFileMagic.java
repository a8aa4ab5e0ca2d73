package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.Folder;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** {@code %%writefile FILE}: the rest of the cell into a file. */
public final class WriteFileMagic extends OptionMagic {

    /** Found by the kernel. */
    public WriteFileMagic() {
        super("writefile", Options.of("%%writefile", "Writes the rest of the cell to a file.")
                .flag("append", "adds to the file; without it, it is written anew")
                .words("FILE", 1, 1, "its name, counted from the folder of %cd").files());
    }

    @Override
    public Kind kind() {
        return Kind.CELL;
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws UsageException {
        String name = arguments.words().getFirst();
        Path file = Folder.resolve(name);
        boolean there = Files.exists(file);
        boolean append = arguments.has("append");
        try {
            if (append) {
                Files.writeString(file, call.body(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } else {
                Files.writeString(file, call.body());
            }
        } catch (IOException e) {
            throw new UsageException("%%%%writefile %s: it cannot be written (%s). It was to be in %s".formatted(name,
                    e.getClass().getSimpleName(), Folder.current()));
        }
        call.session().out().println((append && there ? "Appended to " : there ? "Overwrote " : "Wrote ") + name);
        return null;
    }
}
