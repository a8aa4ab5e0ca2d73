package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.internal.magic.KernelSession;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.Folder;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.nio.file.Files;
import java.util.List;

/** {@code %classpath [FILE…]}: jars and folders with classes. */
public final class ClasspathMagic extends OptionMagic {

    /** Found by the kernel. */
    public ClasspathMagic() {
        super("classpath",
                Options.of("%classpath", "Adds jars or folders of classes; without any, lists what was added.")
                        .words("[FILE…]", 0, Integer.MAX_VALUE, "jars, or folders that hold packages").files()
                        .detail("Inspection also reads name-sources.jar where it lies beside name.jar.")
                        .tellsWithoutWords());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws UsageException {
        KernelSession session = KernelSession.of(call.session());
        if (arguments.words().isEmpty()) {
            List<String> added = session.addedToClasspath();
            return added.isEmpty() ? "nothing was added to the class path" : String.join("\n", added);
        }
        List<String> paths = arguments.words();
        for (String each : paths) {
            if (!Files.exists(Folder.resolve(each))) {
                throw new UsageException("%%classpath %s: there is no such file or folder. It was looked for in %s"
                        .formatted(each, Folder.current()));
            }
        }
        paths.forEach(each -> session.addToClasspath(Folder.resolve(each).toString()));
        return null;
    }

    @Override
    public boolean mayDeclare(String arguments) {
        return true;
    }
}
