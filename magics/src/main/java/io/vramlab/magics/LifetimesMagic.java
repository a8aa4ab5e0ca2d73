package io.vramlab.magics;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.tensor.Lifetimes;
import java.util.List;

/** {@code %lifetimes python|java|check}: whether cells let go of tensors when Python would, and whether that was right. */
public final class LifetimesMagic extends OptionMagic {

    /** Found by the kernel. */
    public LifetimesMagic() {
        super("lifetimes", Options
                .of("%lifetimes",
                        "Says, or chooses for the cells that follow, who closes a tensor that nobody closes.")
                .words("[python|java|check]", 0, 1,
                        "python: the last variable, field, list or unnamed value that lets it go, as in CPython; "
                                + "java: the collector, some time after; check: looks whether anything can reach a tensor "
                                + "that counting has closed since the last check")
                .oneOf(List.of("python", "java", "check"))
                .detail("Tensors that are there already stay the collector's, and so do those that code other than cells "
                        + "may hold.")
                .tellsWithoutWords());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) {
        List<String> words = arguments.words();
        if (words.equals(List.of("check"))) {
            return check();
        }
        if (!words.isEmpty()) {
            Lifetimes.count(words.getFirst().equals("python"));
        }
        boolean python = Lifetimes.isCounting();
        RowBuilder rows = new RowBuilder().text("lifetimes", "in force", "who closes a tensor that nobody closes");
        rows.row("python", python ? "yes" : "no", "the last place that holds it, when it lets go");
        rows.row("java", python ? "no" : "yes", "the collector, some time after");
        return rows.report("Tensors live as in " + (python ? "Python" : "Java"));
    }

    /** The first one begins to remember, each later one looks. */
    private static Object check() {
        if (!Lifetimes.isChecking()) {
            Lifetimes.check(true);
            return new RowBuilder().text("tensor").report(
                    "From here on it is remembered which tensors counting closes; %lifetimes check again looks at them");
        }
        RowBuilder rows = new RowBuilder().text("tensor");
        List<String> reachable = Lifetimes.reachableThoughClosed();
        reachable.forEach(rows::row);
        return rows.report(reachable.isEmpty()
                ? "Nothing reaches what counting has closed"
                : "Closed by counting, though something can reach them");
    }
}
