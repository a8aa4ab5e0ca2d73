package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.Folder;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;

/** {@code %pwd}: the folder that {@code %cd} sets. */
public final class FolderMagic extends OptionMagic {

    /** Found by the kernel. */
    public FolderMagic() {
        super("pwd",
                Options.of("%pwd", "Tells the folder in which shell commands run and magics look for files.").tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) {
        return Folder.current().toString();
    }
}
