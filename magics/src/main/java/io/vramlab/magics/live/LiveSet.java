package io.vramlab.magics.live;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.Holder;
import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.Variable;
import io.vramlab.magics.hold.Guide;
import io.vramlab.magics.hold.HoldPath;
import io.vramlab.magics.hold.Root;
import io.vramlab.magics.hold.Walk;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.tensor.LiveTensors;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.Storage;
import io.vramlab.tensor.type.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Every tensor that is alive at one moment, named. */
public final class LiveSet {

    /** What identifies memory. */
    public record Place(Device device, long address) {
    }

    private static final List<Guide> GUIDES = List.of(new TensorGuide(), new ModuleGuide());

    private final List<LiveTensor> tensors;
    private final Map<Place, LiveTensor> byPlace = new HashMap<>();
    private final boolean complete;

    private LiveSet(List<LiveTensor> tensors, boolean complete) {
        this.tensors = tensors;
        this.complete = complete;
        tensors.forEach(t -> byPlace.put(new Place(t.device(), t.address()), t));
    }

    /** All tensors now, the names taken from the session. */
    public static LiveSet of(Session session) {
        return of(LiveTensors.list(), session);
    }

    /** The tensors listed at an earlier moment, the names taken from the session now. */
    public static LiveSet of(List<LiveTensors.Entry> entries, Session session) {
        Walk walk = walk();
        Set<Object> wanted = new HashSet<>();
        entries.forEach(entry -> wanted.add(new Place(entry.device(), entry.address())));
        Map<Object, HoldPath> names = entries.isEmpty() ? Map.of() : walk.names(roots(session), wanted::contains);
        List<LiveTensor> tensors = new ArrayList<>(entries.size());
        Map<Integer, Site> sites = new HashMap<>();
        for (LiveTensors.Entry entry : entries) {
            Site site = sites.computeIfAbsent(entry.siteId(), Site::of);
            tensors.add(tensor(entry, site, names.get(new Place(entry.device(), entry.address()))));
        }
        return new LiveSet(tensors, walk.complete());
    }

    /**
     * How many tensors that nobody closed variables and what they hold lead to. Goes no further than {@code most} objects:
     * there may be more then.
     */
    public static int reached(Session session, int most) {
        Set<Tensor> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        new Walk(GUIDES, o -> {
            if (o instanceof Tensor tensor && !tensor.isClosed()) {
                reached.add(tensor);
            }
            return null;
        }, most).names(roots(session));
        return reached.size();
    }

    /** A walk that looks for tensors' memory. */
    public static Walk walk() {
        return new Walk(GUIDES, o -> o instanceof Storage s && s.bytes() > 0 && s.holders() > 0
                ? new Place(s.device(), s.address())
                : null);
    }

    /** Where paths begin: variables in order of declaration, old results, static fields, what replaced variables left. */
    public static List<Root> roots(Session session) {
        List<Root> roots = new ArrayList<>();
        List<Root> results = new ArrayList<>();
        for (Variable variable : session.variables()) {
            if (variable.value() != null) {
                boolean result = variable.name().startsWith("$");
                Root.Kind kind = result ? Root.Kind.RESULT : Root.Kind.VARIABLE;
                (result ? results : roots).add(new Root(kind, variable.name(), variable.value()));
            }
        }
        roots.addAll(results);
        for (Holder field : session.staticFields()) {
            roots.add(new Root(Root.Kind.STATIC,
                    field.current() ? field.variable() : field.variable() + " of In [" + field.cell() + "]",
                    field.value()));
        }
        for (Holder holder : session.holders()) {
            if (!holder.current() && holder.value() != null) {
                roots.add(new Root(Root.Kind.REPLACED, holder.variable() + " of In [" + holder.cell() + "]",
                        holder.value()));
            }
        }
        return roots;
    }

    /** Where a tensor was made: thousands are made at one place. */
    private record Site(int cell, int line, String stack) {

        static Site of(int id) {
            List<Frame> frames = CallSites.frames(id);
            String stack = frames.stream().map(Frame::toString).collect(Collectors.joining("\n"));
            for (Frame frame : frames) {
                if (frame.file().matches("In \\[\\d+\\]")) {
                    String number = frame.file().substring(4, frame.file().length() - 1);
                    return new Site(Integer.parseInt(number), frame.line(), stack);
                }
            }
            return new Site(0, 0, stack);
        }
    }

    private static LiveTensor tensor(LiveTensors.Entry entry, Site site, HoldPath path) {
        String form = entry.dtype() == null ? "" : entry.dtype() + Arrays.toString(entry.shape());
        return new LiveTensor(entry.id(), entry.device(), entry.address(), entry.bytes(), kind(entry.kind()), form,
                path,
                entry.holders(), entry.handles(), site.cell(), site.line(), site.stack());
    }

    /** As tables show a kind: {@code OptimizerState}. */
    public static String kind(Kind kind) {
        StringBuilder out = new StringBuilder();
        for (String word : kind.name().split("_")) {
            out.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return out.toString();
    }

    /** All of them, oldest first. */
    public List<LiveTensor> tensors() {
        return tensors;
    }

    /** Those of one device, oldest first. */
    public List<LiveTensor> on(Device device) {
        return tensors.stream().filter(t -> t.device() == device).toList();
    }

    /** The one that begins at an address. */
    public Optional<LiveTensor> at(Device device, long address) {
        return Optional.ofNullable(byPlace.get(new Place(device, address)));
    }

    /** False when the search for names stopped at its limit. */
    public boolean complete() {
        return complete;
    }
}
