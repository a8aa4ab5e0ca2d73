package io.vramlab.conformance.articles;

import io.vramlab.autograd.NoGrad;
import io.vramlab.data.Batch;
import io.vramlab.data.DataLoader;
import io.vramlab.data.TensorDataset;
import io.vramlab.device.DType;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Plain tensors, no models: in place or not, pinned memory (article c), loops, copies, lists (article d), gaps. */
final class Buffers {

    private Buffers() {
    }

    static Map<String, Scenario> all() {
        return Map.of("s002_5_out_of_place", Buffers::outOfPlace, "s002_5_in_place", Buffers::inPlace,
                "s002_6_pinned", Buffers::pinned, "s003_1_intermediates", Buffers::intermediates,
                "s003_1_corrected", Buffers::intermediatesDeleted, "s003_2_async", lab -> loader(lab, true),
                "s003_2_sync", lab -> loader(lab, false), "s003_3_list", Buffers::list,
                "s003_3_corrected", Buffers::listDeleted, "fragmentation", Buffers::fragmentation);
    }

    private static void outOfPlace(Lab lab) {
        Ref<Tensor> x = new Ref<>(lab.randn(1024, 1024));
        Tensor y = lab.randn(1024, 1024);
        lab.mark("xy");
        x.set(x.get().add(y));
        lab.mark("x = x + y");
        x.get().mul(2);
        lab.mark("t = x * 2");
    }

    private static void inPlace(Lab lab) {
        Tensor x = lab.randn(1024, 1024);
        Tensor y = lab.randn(1024, 1024);
        lab.mark("xy");
        x.add_(y);
        lab.mark("x.add_(y)");
        x.mul_(2);
        lab.mark("x.mul_(2)");
        x.clone();
        lab.mark("clone");
    }

    private static void pinned(Lab lab) {
        Tensor.empty(lab.host(), 1000, 1000).pinMemory();
        Tensor.empty(lab.host().dtype(DType.UINT8), 3_000_001).pinMemory();
    }

    private static void intermediates(Lab lab) {
        Ref<Tensor> x = new Ref<>();
        Ref<Tensor> y = new Ref<>();
        Ref<Tensor> z = new Ref<>();
        for (int i = 0; i < 4; i++) {
            x.set(lab.randn(1024, 1024));
            lab.mark(i + ".x");
            y.set(x.get().matmul(x.get()));
            lab.mark(i + ".y");
            z.set(y.get().relu());
            lab.mark(i + ".z");
        }
    }

    private static void intermediatesDeleted(Lab lab) {
        for (int i = 0; i < 4; i++) {
            Tensor x = lab.randn(1024, 1024);
            lab.mark(i + ".x");
            Tensor z;
            try (NoGrad off = new NoGrad()) {
                Tensor y = x.matmul(x);
                lab.mark(i + ".y");
                z = y.relu();
                lab.mark(i + ".z");
                y.close();
                lab.mark(i + ".del y");
            }
            x.close();
            z.close();
            lab.mark(i + ".del xz");
        }
    }

    private static void loader(Lab lab, boolean nonBlocking) {
        TensorDataset dataset = lab.own(
                new TensorDataset(Tensor.randn(lab.host(), 10_000, 100), Tensor.randn(lab.host(), 10_000, 1)));
        Ref<Tensor> data = new Ref<>();
        Ref<Tensor> target = new Ref<>();
        int i = 0;
        for (Batch batch : new DataLoader(dataset, 1000).pinMemory(true)) {
            // the loop's names are the host's batch first, so what they held on the device goes before the next is there
            data.close();
            target.close();
            Tensor nextData = batch.get(0).to(lab.device(), nonBlocking);
            Tensor nextTarget = batch.get(1).to(lab.device(), nonBlocking);
            data.set(nextData);
            target.set(nextTarget);
            batch.close();
            lab.mark(Integer.toString(i++));
        }
    }

    private static void list(Lab lab) {
        List<Tensor> kept = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            kept.add(Tensor.empty(lab.here(), 1000, 1000));
            lab.mark(Integer.toString(i));
        }
    }

    private static void listDeleted(Lab lab) {
        for (int i = 0; i < 100; i++) {
            Tensor.empty(lab.here(), 1000, 1000).close();
        }
        lab.mark("done");
    }

    private static void fragmentation(Lab lab) {
        TensorOptions bytes = lab.here().dtype(DType.UINT8);
        List<Tensor> kept = new ArrayList<>();
        List<Tensor> dropped = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            dropped.add(Tensor.empty(bytes, 3 << 20));
            kept.add(Tensor.empty(bytes, 1100 << 10));
        }
        lab.mark("filled");
        // the order in which Python empties a list
        dropped.reversed().forEach(Tensor::close);
        lab.mark("every other freed");
        lab.emptyCache();
        lab.mark("empty_cache");
        Tensor.empty(bytes, 64 << 20);
        lab.mark("big");
    }
}
