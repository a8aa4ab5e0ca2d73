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
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code %load FILE}: runs a file of snippets as if its text stood in the cell. */
public final class LoadMagic extends OptionMagic {

    private static final Pattern OTHER = Pattern.compile("\\.(py|ipynb|sh)$");
    private static final Map<String, String> INSTEAD = Map.of("py", "!python3 %s", "ipynb",
            "!jupyter execute %s, which runs it in a kernel of its own", "sh", "!sh %s");

    /** Found by the kernel. */
    public LoadMagic() {
        super("load", Options.of("%load", "Runs a .jsh or .java file as part of the cell.")
                .words("FILE", 1, 1, "Java as it would stand in a cell; a package declaration at its top is left out")
                .files());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Path file = Folder.resolve(arguments.words().getFirst());
        Matcher other = OTHER.matcher(file.toString());
        if (other.find()) {
            throw new UsageException("%%load %s: this is no Java, and only Java runs here. Write %s".formatted(
                    arguments.words().getFirst(), INSTEAD.get(other.group(1)).formatted(arguments.words().getFirst())));
        }
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new UsageException("%%load %s: it cannot be read: %s. It was looked for in %s".formatted(
                    arguments.words().getFirst(), Files.isDirectory(file)
                            ? "it is a folder"
                            : Files.exists(file) ? "it is no text, or not permitted" : "there is no such file",
                    Folder.current()));
        }
        return call.session().evaluate(text.replaceFirst("\\A\\s*package [^;]+;", ""), 1);
    }

    @Override
    public boolean mayDeclare(String arguments) {
        return true;
    }
}
