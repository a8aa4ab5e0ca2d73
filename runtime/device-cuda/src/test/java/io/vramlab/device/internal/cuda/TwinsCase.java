package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cuda.Twins.Twin;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A real GPU beside the simulated one: what a kernel gives on one it gives on the other. */
abstract class TwinsCase {

    static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

    Twins twins;

    @BeforeEach
    void open() {
        twins = new Twins();
    }

    @AfterEach
    void close() {
        twins.close();
    }

    /** One unit or so in the last place of the dtype, a few for sums. */
    static double tolerance(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> 3e-6;
            case FLOAT64 -> 1e-12;
            case FLOAT16 -> 2e-3;
            case BFLOAT16 -> 1.6e-2;
            default -> 0;
        };
    }

    static Operand[] all(Function<Twin, Operand> of, Twin... twins) {
        return Arrays.stream(twins).map(of).toArray(Operand[]::new);
    }
}
