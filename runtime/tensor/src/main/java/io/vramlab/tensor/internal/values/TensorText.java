package io.vramlab.tensor.internal.values;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.LongStream;

/**
 * A tensor as PyTorch prints it, character for character (torch/_tensor_str.py, with its default options): lines of 80
 * characters; above 1,000 elements only the first and the last three of every dimension; then what the numbers do not
 * tell. Held against recordings of PyTorch 2.11.
 *
 * <p>
 * PyTorch computes the layout on the tensor's device: to print a 2×3 float32 tensor of a GPU it allocates 21 times and
 * raises the peak by 3,072 bytes. This copies the shown elements to the host instead ({@link Peek}), because a look at
 * memory must not change it.
 */
public final class TensorText {

    private static final int THRESHOLD = 1000;
    private static final int EDGE = 3;
    private static final int LINE = 80;
    /** More are not shown: only tensors of nine and more dimensions, none longer than six, can have them. */
    private static final long MOST_SHOWN = 1 << 23;

    private final TensorImpl a;
    private final int indent;
    private final long[][] shown;
    private NumberLayout numbers;
    private int next;

    private TensorText(TensorImpl a, String prefix) {
        this.a = a;
        this.indent = prefix.length();
        this.shown = new long[a.rank()][];
    }

    /**
     * The text.
     *
     * @throws RuntimeException
     *             what the device says when it cannot be read
     */
    public static String of(TensorImpl a) {
        return new TensorText(a, "tensor(").text();
    }

    private String text() {
        List<String> notes = new ArrayList<>();
        boolean usual = a.dtype() == DType.FLOAT32;
        if (a.device().isCuda()) {
            notes.add("device='" + a.device().name() + "'");
        }
        String values = "[]";
        if (a.count() == 0) {
            if (a.rank() != 1) {
                notes.add(size());
            }
        } else if (a.device().kind() == Device.Kind.SHAPES_ONLY || !choose()) {
            // as PyTorch prints its tensors without values, those of the meta device
            values = "...";
            notes.add(size());
        } else {
            Peek elements = new Peek(a, places());
            numbers = new NumberLayout(elements);
            values = a.rank() == 0 ? numbers.number(0) : block(0);
            usual |= a.dtype() == DType.INT64 || a.dtype() == DType.BOOL;
        }
        if (!usual) {
            notes.add("dtype=torch." + a.dtype());
        }
        if (a.gradFn() != null) {
            notes.add("grad_fn=<" + a.gradFn().name() + ">");
        } else if (a.requiresGrad()) {
            notes.add("requires_grad=True");
        }
        return withNotes("tensor(" + values, notes);
    }

    private String size() {
        StringJoiner sizes = new StringJoiner(", ", "size=(", a.rank() == 1 ? ",)" : ")");
        for (long s : a.shape()) {
            sizes.add(Long.toString(s));
        }
        return sizes.toString();
    }

    /** Decides which indices of each dimension are shown; false if that makes too many elements. */
    private boolean choose() {
        boolean summary = a.count() > THRESHOLD;
        long all = 1;
        for (int d = 0; d < shown.length; d++) {
            long n = a.shape()[d];
            all *= summary ? Math.min(n, 2 * EDGE) : n;
            if (all > MOST_SHOWN) {
                return false;
            }
            shown[d] = summary && n > 2 * EDGE
                    ? LongStream.concat(LongStream.range(0, EDGE), LongStream.range(n - EDGE, n)).toArray()
                    : LongStream.range(0, n).toArray();
        }
        return true;
    }

    /** Where the shown elements lie, in row-major order. */
    private long[] places() {
        long[] places = {0};
        for (int d = 0; d < shown.length; d++) {
            long stride = a.strides()[d];
            long[] indices = shown[d];
            places = Arrays.stream(places).flatMap(p -> Arrays.stream(indices).map(i -> p + i * stride)).toArray();
        }
        return places;
    }

    private boolean isCut(int dim) {
        return shown[dim].length < a.shape()[dim];
    }

    private String block(int dim) {
        int inner = indent + dim + 1;
        if (dim == a.rank() - 1) {
            return row(dim, inner);
        }
        StringJoiner parts = new StringJoiner("," + "\n".repeat(a.rank() - 1 - dim) + " ".repeat(inner), "[", "]");
        for (int i = 0; i < shown[dim].length; i++) {
            if (isCut(dim) && i == EDGE) {
                parts.add("...");
            }
            parts.add(block(dim + 1));
        }
        return parts.toString();
    }

    private String row(int dim, int inner) {
        List<String> row = new ArrayList<>();
        for (int i = 0; i < shown[dim].length; i++) {
            if (isCut(dim) && i == EDGE) {
                row.add(" ...");
            }
            row.add(numbers.number(next++));
        }
        int perLine = Math.max(1, Math.floorDiv(LINE - (inner - 1), numbers.width() + 2));
        StringJoiner lines = new StringJoiner(",\n" + " ".repeat(inner), "[", "]");
        for (int from = 0; from < row.size(); from += perLine) {
            lines.add(String.join(", ", row.subList(from, Math.min(row.size(), from + perLine))));
        }
        return lines.toString();
    }

    private String withNotes(String text, List<String> notes) {
        StringBuilder out = new StringBuilder(text);
        int column = text.length() - text.lastIndexOf('\n') + 1;
        for (String note : notes) {
            if (column + note.length() + 2 > LINE) {
                out.append(",\n").append(" ".repeat(indent)).append(note);
                column = indent + note.length();
            } else {
                out.append(", ").append(note);
                column += note.length() + 2;
            }
        }
        return out.append(')').toString();
    }
}
