package io.vramlab.magics;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.hold.HoldPath;
import io.vramlab.magics.hold.Root;
import io.vramlab.magics.hold.Walk;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.magics.live.LiveTensor;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.Nearest;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code %holds}: why memory is not freed. */
public final class HoldsMagic extends OptionMagic {

    private static final int MOST_PATHS = 50;

    /** Found by the kernel. */
    public HoldsMagic() {
        super("holds", Options.of("%holds", "Shows every shortest way from a root to a tensor: why it is not freed.")
                .words("NAME", 1, 1,
                        "a variable, or a name as %track shows it, such as net.layer1.weight or batches[3]")
                .variables()
                .detail("Roots are variables, old results $n, fields of replaced variables, and static fields of "
                        + "classes declared in cells.\nOf something that holds several tensors, all are followed, the largest first.")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        String name = arguments.words().get(0);
        LiveSet live = LiveSet.of(call.session());
        List<LiveTensor> wanted = find(name, live, call.session()).stream()
                .sorted(Comparator.comparingLong(LiveTensor::bytes).reversed()).toList();
        List<Root> roots = LiveSet.roots(call.session());
        RowBuilder rows = new RowBuilder().text("path", "root", "tensor").number("bytes");
        boolean complete = true;
        for (LiveTensor tensor : wanted) {
            Walk walk = LiveSet.walk();
            List<HoldPath> paths = walk.paths(roots, new LiveSet.Place(tensor.device(), tensor.address()), MOST_PATHS);
            for (HoldPath path : paths) {
                rows.row(path.text(), path.root().kind().text(), tensor.form(), tensor.bytes());
            }
            complete &= walk.complete() && paths.size() < MOST_PATHS;
            if (paths.isEmpty()) {
                rows.row("", tensor.heldBy(), tensor.form(), tensor.bytes());
            }
        }
        long bytes = wanted.stream().mapToLong(LiveTensor::bytes).sum();
        ReportTable report = rows.report("What holds " + name + ": " + ReadableSizes.text(bytes))
                .note("It is freed when all of these let go; drop variables with %del, close a tensor with close(). "
                        + "In all " + ReadableSizes.both(bytes) + ".");
        return complete ? report : report.note("There may be more ways: the search stopped before it had seen all.");
    }

    /** The tensors that a name stands for: the one so called, or all that a variable leads to. */
    private static List<LiveTensor> find(String name, LiveSet live, Session session) throws UsageException {
        List<LiveTensor> exact = live.tensors().stream().filter(t -> t.name().equals(name)).toList();
        if (!exact.isEmpty()) {
            return exact;
        }
        List<Root> root = LiveSet.roots(session).stream().filter(r -> r.label().equals(name)).toList();
        Set<Object> places = new LinkedHashSet<>(LiveSet.walk().names(root).keySet());
        List<LiveTensor> reached = live.tensors().stream()
                .filter(t -> places.contains(new LiveSet.Place(t.device(), t.address()))).toList();
        if (!reached.isEmpty()) {
            return reached;
        }
        if (session.variable(name).isPresent()) {
            throw new UsageException(
                    "%holds: " + name + " was asked for. It is a variable, but it holds no device memory "
                            + "now. See %track for what does.");
        }
        List<String> known = new ArrayList<>(live.tensors().stream().map(LiveTensor::name).toList());
        session.variables().forEach(v -> known.add(v.name()));
        throw new UsageException(
                "%holds: " + name + " was asked for. Nothing alive has that name. See %track for the names."
                        + Nearest.of(name, known).map(n -> " Did you mean " + n + "?").orElse(""));
    }
}
