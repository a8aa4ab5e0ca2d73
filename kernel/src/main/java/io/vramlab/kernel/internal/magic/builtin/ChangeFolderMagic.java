package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.Folder;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** {@code %cd [FOLDER]}: where magics and the shell are. */
public final class ChangeFolderMagic extends OptionMagic {

    private Path former = Folder.start();

    /** Found by the kernel. */
    public ChangeFolderMagic() {
        super("cd", Options.of("%cd", "Goes to a folder: shell commands run there, and magics look for files there.")
                .words("[FOLDER]", 0, 1, "where to; ~ or nothing is your own folder, - the one before").files()
                .detail("A JVM cannot change its own folder: new File(\"name\") and Path.of(\"name\") still begin where the kernel\n"
                        + "was started. Write Path.of(magic(\"pwd\").toString(), \"name\") for a file of the new one."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws UsageException {
        String name = arguments.words().isEmpty() ? "~" : arguments.words().getFirst();
        Path folder = name.equals("-") ? former : resolved(name);
        if (!Files.isDirectory(folder)) {
            throw new UsageException(
                    "%%cd %s: there is no such folder. It was looked for in %s; %%ls lists what is there"
                            .formatted(name, Folder.current()));
        }
        former = Folder.current();
        Folder.change(folder);
        call.session().out().println(Folder.current());
        return null;
    }

    private static Path resolved(String name) throws UsageException {
        try {
            return Folder.resolve(name);
        } catch (InvalidPathException e) {
            throw new UsageException("%%cd %s: that is no name of a folder (%s). Write a name without such signs"
                    .formatted(name, e.getReason()));
        }
    }
}
