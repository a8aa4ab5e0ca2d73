package io.vramlab.kernel.magic.builtin;

import io.vramlab.kernel.magic.KernelSession;
import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code %classpath [FILE…]}: jars and folders with classes. */
public final class ClasspathMagic implements Magic {

    @Override
    public String name() {
        return "classpath";
    }

    @Override
    public String summary() {
        return "Adds jars or folders of classes; without any, lists what was added.";
    }

    @Override
    public Object run(MagicCall call) throws UsageException {
        KernelSession session = KernelSession.of(call.session());
        if (call.arguments().isEmpty()) {
            List<String> added = session.addedToClasspath();
            return added.isEmpty() ? "nothing was added to the class path" : String.join("\n", added);
        }
        List<String> paths = Words.of(call.arguments());
        for (String each : paths) {
            if (!Files.exists(Path.of(each))) {
                throw new UsageException("%%classpath %s: there is no such file or folder. It was looked for in %s"
                        .formatted(each, Path.of("").toAbsolutePath()));
            }
        }
        paths.forEach(each -> session.addToClasspath(Path.of(each).toAbsolutePath().toString()));
        return null;
    }
}
