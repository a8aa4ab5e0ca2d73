package io.vramlab.tensor;

import io.vramlab.device.DType;
import java.util.Locale;
import java.util.StringJoiner;

/** Values as text in PyTorch's layout, summarised above a thousand elements: only what is shown is copied. */
final class Printer {

    private static final int THRESHOLD = 1000;
    private static final int EDGE = 3;

    private Printer() {
    }

    static String text(TensorImpl a) {
        String values = a.count() == 0 ? "[]" : block(a, "        ");
        StringBuilder text = new StringBuilder("tensor(").append(values);
        if (a.count() == 0) {
            text.append(", size=").append(Shape.text(a.shape()));
        }
        if (a.device().isCuda()) {
            text.append(", device='").append(a.device().name()).append('\'');
        }
        if (a.dtype() != DType.FLOAT32 && a.dtype() != DType.INT64 && a.dtype() != DType.BOOL) {
            text.append(", dtype=").append(a.dtype());
        }
        if (a.gradFn() != null) {
            text.append(", gradFn=<").append(a.gradFn().name()).append('>');
        } else if (a.requiresGrad()) {
            text.append(", requiresGrad=true");
        }
        return text.append(')').toString();
    }

    private static String block(TensorImpl a, String indent) {
        boolean summary = a.count() > THRESHOLD;
        return rows(a, indent, summary);
    }

    private static String rows(TensorImpl a, String indent, boolean summary) {
        if (a.rank() == 0) {
            return number(Values.read(a)[0], a.dtype());
        }
        long n = a.shape()[0];
        boolean cut = summary && n > 2 * EDGE;
        if (a.rank() == 1) {
            return row(a, cut);
        }
        StringJoiner lines = new StringJoiner("," + "\n".repeat(a.rank() - 1) + indent, "[", "]");
        for (long i = 0; i < n; i++) {
            if (cut && i == EDGE) {
                lines.add("...");
                i = n - EDGE;
            }
            TensorImpl part = part(a, i);
            try {
                lines.add(rows(part, indent + " ", summary));
            } finally {
                part.release();
            }
        }
        return lines.toString();
    }

    private static TensorImpl part(TensorImpl a, long i) {
        return a.alias(Views.remove(a.shape(), 0), Views.remove(a.strides(), 0), a.offset() + i * a.strides()[0]);
    }

    private static String row(TensorImpl a, boolean cut) {
        StringJoiner row = new StringJoiner(", ", "[", "]");
        long n = a.shape()[0];
        if (!cut) {
            for (double v : Values.read(a)) {
                row.add(number(v, a.dtype()));
            }
            return row.toString();
        }
        for (double v : window(a, 0)) {
            row.add(number(v, a.dtype()));
        }
        row.add("...");
        for (double v : window(a, n - EDGE)) {
            row.add(number(v, a.dtype()));
        }
        return row.toString();
    }

    private static double[] window(TensorImpl a, long from) {
        TensorImpl part = a.alias(new long[]{EDGE}, a.strides(), a.offset() + from * a.strides()[0]);
        try {
            return Values.read(part);
        } finally {
            part.release();
        }
    }

    private static String number(double v, DType dtype) {
        if (dtype == DType.BOOL) {
            return v != 0 ? "true" : "false";
        }
        if (!dtype.isFloatingPoint()) {
            return Long.toString((long) v);
        }
        double size = Math.abs(v);
        if (Double.isNaN(v) || Double.isInfinite(v)) {
            return Double.isNaN(v) ? "nan" : v > 0 ? "inf" : "-inf";
        }
        return size != 0 && (size >= 1e6 || size < 1e-4)
                ? String.format(Locale.ROOT, "%.4e", v)
                : String.format(Locale.ROOT, "%.4f", v);
    }

}
