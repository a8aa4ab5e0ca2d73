package io.vramlab.kernel.internal.magic;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code %lsmagic}: what magics there are. */
final class ListMagics extends OptionMagic {

    private final Magics magics;

    ListMagics(Magics magics) {
        super("lsmagic",
                Options.of("%lsmagic", "Lists the magics.").detail("%NAME? tells what a magic takes.").tells());
        this.magics = magics;
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) {
        StringBuilder text = new StringBuilder();
        for (Magic magic : magics.all()) {
            String sign = magic.kind() == Kind.CELL ? "%%" : "%";
            text.append("%-28s %s%n".formatted(sign + magic.name(), magic.summary()));
        }
        Map<String, List<String>> others = new TreeMap<>();
        magics.otherNames().forEach(
                each -> others.computeIfAbsent(magics.named(each).name(), name -> new ArrayList<>()).add(each));
        text.append("%nOther names, as IPython has them:%n".formatted());
        others.forEach((name, all) -> text.append("%-28s %s%n".formatted("%" + name, String.join(", ", all))));
        return text.toString().stripTrailing();
    }
}
