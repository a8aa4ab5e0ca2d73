package io.vramlab.kernel.internal.display;

import io.github.spencerpark.jupyter.kernel.display.DisplayData;
import io.github.spencerpark.jupyter.kernel.display.DisplayDataRenderable;
import io.vramlab.kernel.spi.Renderer;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Turns values into MIME bundles. Safe from any thread. */
public final class Renderers {

    /** Those that {@link ServiceLoader} finds, looked for at the first use. */
    private static final class Found {
        static final List<Renderer<?>> ALL = ServiceLoader.load(Renderer.class, Renderers.class.getClassLoader())
                .stream().<Renderer<?>>map(ServiceLoader.Provider::get).toList();
    }

    /** The bundle of a value; null is shown as {@code null}. */
    public DisplayData render(Object value) {
        if (value == null) {
            return new DisplayData("null");
        }
        if (value instanceof DisplayData data) {
            return data;
        }
        Renderer<?> renderer = mostSpecific(value.getClass());
        if (renderer != null) {
            DisplayData data = new DisplayData();
            bundle(renderer, value).forEach(data::putData);
            return data;
        }
        if (value instanceof DisplayDataRenderable) {
            return new io.github.spencerpark.jupyter.kernel.display.Renderer().render(value);
        }
        return new DisplayData(PlainText.of(value));
    }

    /** A value in one line, where it is one of many. */
    public static String label(Object value) {
        Renderer<?> renderer = value == null ? null : mostSpecific(value.getClass());
        return renderer == null ? PlainText.of(value) : PlainText.cut(label(renderer, value));
    }

    private static <T> String label(Renderer<T> renderer, Object value) {
        return renderer.label(renderer.type().cast(value));
    }

    private static <T> Map<String, String> bundle(Renderer<T> renderer, Object value) {
        return renderer.render(renderer.type().cast(value));
    }

    private static Renderer<?> mostSpecific(Class<?> type) {
        Renderer<?> best = null;
        for (Renderer<?> each : Found.ALL) {
            if (each.type().isAssignableFrom(type) && (best == null || best.type().isAssignableFrom(each.type()))) {
                best = each;
            }
        }
        return best;
    }
}
