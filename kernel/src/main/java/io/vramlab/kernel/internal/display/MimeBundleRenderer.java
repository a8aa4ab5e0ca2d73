package io.vramlab.kernel.internal.display;

import io.vramlab.kernel.spi.MimeBundle;
import io.vramlab.kernel.spi.Renderer;
import java.util.Map;

/** What is a bundle already. */
public final class MimeBundleRenderer implements Renderer<MimeBundle> {

    @Override
    public Class<MimeBundle> type() {
        return MimeBundle.class;
    }

    @Override
    public Map<String, String> render(MimeBundle value) {
        return value.data();
    }
}
