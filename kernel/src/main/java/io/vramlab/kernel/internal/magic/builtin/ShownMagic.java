package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.MimeBundle;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.util.Map;

/** A magic that shows the rest of the cell in a format that frontends know. */
abstract class ShownMagic extends OptionMagic {

    private final String type;

    ShownMagic(String name, String type, String format) {
        super(name, Options.of("%%" + name, "Shows the rest of the cell as " + format + ".")
                .detail("From Java: display(new MimeBundle(Map.of(\"text/plain\", \"…\", \"" + type + "\", \"…\"))),\n"
                        + "with import io.vramlab.kernel.spi.MimeBundle. What cannot show " + format
                        + " shows the text as it stands."));
        this.type = type;
    }

    @Override
    public final Kind kind() {
        return Kind.CELL;
    }

    @Override
    protected final Object run(Arguments arguments, MagicCall call) {
        String text = call.body().stripTrailing();
        call.session().display(new MimeBundle(Map.of("text/plain", text, type, text)));
        return null;
    }
}
