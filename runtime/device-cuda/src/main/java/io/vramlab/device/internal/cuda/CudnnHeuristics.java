package io.vramlab.device.internal.cuda;

import io.vramlab.device.ConvolutionCall;
import io.vramlab.device.ConvolutionHeuristics;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.internal.cuda.CudnnCalls.Descriptor;
import io.vramlab.device.internal.cuda.CudnnCalls.Refused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * cuDNN's instant heuristics for a GPU that is only described, which they know since 9.8 and for which no driver is needed:
 * the first way that PyTorch would take ({@link CudnnPlans}).
 */
public final class CudnnHeuristics implements ConvolutionHeuristics {

    private static final long FIRST_VERSION = 90800;
    private static final int FIRST_CAPABILITY = 8;
    private static final int DEVICE = 38;
    private static final int ENGINE = 2;
    private static final int CHOICE = 7;
    private static final int KIND_OF_CHOICE = 9;
    private static final int MOST_CHOICES = 44;

    private final Map<DeviceProperties, Optional<Descriptor>> devices = new HashMap<>();
    private Optional<CudnnCalls> calls;

    /** Looks for the library when it is first asked. */
    public CudnnHeuristics() {
        // ServiceLoader wants it
    }

    private CudnnCalls calls() {
        if (calls == null) {
            calls = CudnnCalls.find(CudnnPlaces.ofPython()).filter(found -> found.version() >= FIRST_VERSION);
        }
        return calls.orElse(null);
    }

    @Override
    public synchronized Optional<String> library() {
        CudnnCalls found = calls();
        return found == null
                ? Optional.empty()
                : Optional.of("cuDNN " + found.version() / 10000 + "." + found.version() / 100 % 100);
    }

    @Override
    public synchronized Optional<Answer> answer(ConvolutionCall call, DeviceProperties device) {
        CudnnCalls found = calls();
        if (found == null || device.major() < FIRST_CAPABILITY || !call.x().dtype().isFloatingPoint()) {
            return Optional.empty();
        }
        Descriptor described = devices.computeIfAbsent(device, each -> described(found, each)).orElse(null);
        if (described == null) {
            return Optional.empty();
        }
        try (CudnnPlans plans = new CudnnPlans(found, new CudnnTarget.Described(described), call,
                CudnnSettings.now())) {
            if (!plans.hasNext()) {
                return Optional.empty();
            }
            try (Descriptor plan = plans.next()) {
                return Optional.of(read(found, plan, plans.configuration(), device));
            }
        } catch (Refused e) {
            return Optional.empty();
        }
    }

    private static Answer read(CudnnCalls calls, Descriptor plan, Descriptor configuration, DeviceProperties device)
            throws Refused {
        List<Descriptor> kept = new ArrayList<>();
        try {
            Descriptor engine = calls.descriptor(ENGINE);
            kept.add(engine);
            configuration.fill(300, List.of(engine));
            List<Descriptor> room = new ArrayList<>();
            for (int i = 0; i < MOST_CHOICES; i++) {
                room.add(calls.descriptor(CHOICE));
                kept.add(room.getLast());
            }
            Map<Integer, Long> choices = new HashMap<>();
            for (Descriptor choice : room.subList(0, configuration.fill(302, room))) {
                choices.put(choice.choices(600, KIND_OF_CHOICE, 1).getFirst(), choice.number(601));
            }
            return new Answer(Math.max(0, plan.number(402)), Math.toIntExact(engine.number(1301)), choices,
                    10 * device.major() + device.minor());
        } finally {
            kept.reversed().forEach(Descriptor::close);
        }
    }

    private static Optional<Descriptor> described(CudnnCalls calls, DeviceProperties device) {
        Descriptor made = null;
        try {
            made = calls.descriptor(DEVICE);
            return Optional.of(made.text(2702, CudnnDescription.of(device)).done());
        } catch (Refused e) {
            if (made != null) {
                made.close();
            }
            return Optional.empty();
        }
    }
}
