package io.vramlab.magics.value;

import io.vramlab.kernel.spi.Renderer;
import io.vramlab.kernel.spi.text.Html;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Shows tensors. In plain text as PyTorch does; in HTML the same under a line with kind, dtype, shape, device, bytes and
 * gradient, in plain tags and inline styles that survive in a notebook that is not trusted, and no colour of its own.
 */
public final class TensorRenderer implements Renderer<Tensor> {

    /** In a list or a table, larger tensors are named by dtype, shape and device. */
    private static final long FEW = 8;

    @Override
    public Class<Tensor> type() {
        return Tensor.class;
    }

    @Override
    public Map<String, String> render(Tensor value) {
        String text = value.toString();
        Map<String, String> bundle = new LinkedHashMap<>();
        bundle.put("text/html", "<div><div style=\"margin:4px 0\">" + header(value)
                + "</div><pre style=\"margin:0;text-align:left\">" + Html.escape(text) + "</pre></div>");
        bundle.put("text/plain", text);
        return bundle;
    }

    private static String header(Tensor value) {
        String name = "<b>" + value.getClass().getSimpleName() + "</b> ";
        try {
            String gradient = value.gradFn() != null
                    ? " · made by " + value.gradFn()
                    : value.requiresGrad() ? " · requires grad" : "";
            return name + value.dtype() + Arrays.toString(value.shape()) + " · " + value.device().name() + " · "
                    + size(value) + Html.escape(gradient);
        } catch (TensorException e) {
            return name + Html.escape(value.describe()) + " · closed";
        }
    }

    /** Its bytes; of a view also those that it keeps alive. */
    private static String size(Tensor value) {
        long bytes = value.nbytes();
        long held = value.storage().bytes();
        return ReadableSizes.both(bytes) + (held == bytes ? "" : ", a view into " + ReadableSizes.both(held));
    }

    @Override
    public String label(Tensor value) {
        String one = value.isClosed() || elements(value) > FEW ? "" : value.toString();
        return one.isEmpty() || one.indexOf('\n') >= 0
                ? "Tensor(" + value.describe() + (value.isClosed() ? ", closed" : "") + ")"
                : one;
    }

    private static long elements(Tensor value) {
        try {
            return value.numel();
        } catch (TensorException e) {
            return Long.MAX_VALUE;
        }
    }
}
