package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.RecurrentShape;
import io.vramlab.device.RecurrentShape.Kind;

/** cuDNN's ways to run a recurrent network, in the order of its numbers, and which of them PyTorch takes (RNN.cpp, get_algo). */
enum RecurrentAlgorithm {
    /** Products, step by step. */
    STANDARD,
    /** One kernel over all times, the weights in registers. */
    PERSIST_STATIC,
    /** The same, compiled for the size; PyTorch never takes it. */
    PERSIST_DYNAMIC,
    /** For states of few elements. */
    PERSIST_STATIC_SMALL_H;

    static RecurrentAlgorithm of(DeviceProperties gpu, RecurrentShape s, boolean forward) {
        if (s.projection() > 0 || s.packed()) {
            return STANDARD;
        }
        if (s.dtype() != DType.FLOAT64 && gpu.major() >= 6 && s.hidden() <= fewElements(s.kind(), forward)) {
            return PERSIST_STATIC_SMALL_H;
        }
        return s.dtype() == DType.FLOAT16 && fitsRegisters(s) && isFastOn(gpu, s) ? PERSIST_STATIC : STANDARD;
    }

    private static int fewElements(Kind kind, boolean forward) {
        boolean gated = kind == Kind.LSTM || kind == Kind.GRU;
        return forward ? gated ? 192 : 384 : gated ? 128 : 256;
    }

    private static boolean fitsRegisters(RecurrentShape s) {
        return s.directedLayers() == 1 && s.hidden() <= 1024 && s.hidden() % 128 == 0 && s.input() % 128 == 0;
    }

    private static boolean isFastOn(DeviceProperties gpu, RecurrentShape s) {
        int batch = s.batch();
        if (gpu.major() == 7) {
            int times = s.times();
            boolean even = batch % 16 == 0 && batch != 80 && batch != 112 || batch == 8;
            return gpu.minor() != 5 && even
                    && (times >= 40 && batch <= 128 || times >= 20 && batch <= 96 || times >= 10 && batch <= 32);
        }
        if (gpu.major() < 8 || gpu.multiProcessorCount() < 98 || gpu.minor() == 6) {
            return false;
        }
        return switch (s.kind()) {
            case GRU -> false;
            case LSTM -> batch % 8 == 0 && batch <= 128;
            default -> batch % 8 == 0 && batch <= 128 && (batch < 96 || s.hidden() < 896);
        };
    }
}
