package io.vramlab.kernel.magic;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;

/** {@code %lsmagic}: what magics there are. */
final class ListMagics implements Magic {

    private final Magics magics;

    ListMagics(Magics magics) {
        this.magics = magics;
    }

    @Override
    public String name() {
        return "lsmagic";
    }

    @Override
    public String summary() {
        return "Lists the magics.";
    }

    @Override
    public Object run(MagicCall call) {
        StringBuilder text = new StringBuilder();
        for (Magic magic : magics.all()) {
            String sign = magic.kind() == Kind.CELL ? "%%" : "%";
            text.append("%-28s %s%n".formatted(sign + magic.name(), magic.summary()));
        }
        return text.toString().stripTrailing();
    }
}
