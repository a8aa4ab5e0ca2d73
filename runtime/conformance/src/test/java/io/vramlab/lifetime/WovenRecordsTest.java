package io.vramlab.lifetime;

import io.vramlab.nn.PackedSequence;
import io.vramlab.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** This project's records of tensors, packed sequences first of all, hold them as a program's own do. */
public class WovenRecordsTest extends CheckedWovenCase {

    private static final String MAKE = """
            static Tensor one() { return Tensor.ones(128); }
            static PackedSequence packed() {
                return PackedSequence.packPaddedSequence(Tensor.ones(2, 64, 1), new long[]{64, 64}, true);
            }
            static PackedSequence doubled(PackedSequence packed) {
                packed = new PackedSequence(packed.data().mul(2), packed.batchSizes(), null, null);
                mark();
                return packed;
            }
            """;

    WovenRecordsTest() {
        super(MAKE);
    }

    @Test
    void aPackedSequenceHoldsItsTensorAndLetsItGo() throws Exception {
        marks("",
                "var p = packed(); mark(); p = doubled(p); mark(); var data = p.data(); p = null; mark(); data.add(1);"
                        + " data = null; mark();",
                1, 2, 1, 1, 0);
    }

    @Test
    void whatIsPaddedAgainIsHeldByItsRecord() throws Exception {
        marks("", "var t = PackedSequence.padPackedSequence(packed(), true).output(); mark(); t = null; mark();"
                + " var both = PackedSequence.padPackedSequence(packed(), true); mark(); both.output().add(1); both = null;"
                + " mark(); t = PackedSequence.padSequence(List.of(one(), one()), true, 0); mark();", 1, 0, 1, 0, 2);
    }

    @Test
    void aRecurrentLayerGivesARecordOfRecords() throws Exception {
        marks("static Tensor last(GRU gru, PackedSequence packed) { var all = gru.callPacked(packed); return all.hn().add(1); }",
                "try (var off = new io.vramlab.autograd.NoGrad()) { var gru = new GRU(1, 1); var start = last(gru, packed());"
                        + " gru = null; mark(); }",
                1);
    }

    @Test
    void whatOtherCodeHasMadeIsNotClosed() throws Exception {
        marks("static PackedSequence kept;\nstatic class Has { PackedSequence own; }",
                "var has = new Has(); has.own = io.vramlab.lifetime.WovenRecordsTest.PLAIN.get(); mark(); has.own = null; mark();"
                        + " io.vramlab.lifetime.WovenRecordsTest.PLAIN.get().data().add(1); mark();",
                1, 1, 1);
    }

    /** Gives the same each time. */
    public static final Supplier<PackedSequence> PLAIN = new Supplier<>() {

        private PackedSequence only;

        @Override
        public PackedSequence get() {
            if (only == null) {
                try (Tensor padded = Tensor.ones(2, 64, 1)) {
                    only = PackedSequence.packPaddedSequence(padded, new long[]{64, 64}, true);
                }
            }
            return only;
        }
    };
}
