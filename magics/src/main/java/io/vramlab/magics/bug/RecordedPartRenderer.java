package io.vramlab.magics.bug;

import io.vramlab.kernel.spi.Renderer;
import java.util.Map;

/** Puts a recorded part into the notebook, with a line that says what it is. */
public final class RecordedPartRenderer implements Renderer<RecordedPart> {

    @Override
    public Class<RecordedPart> type() {
        return RecordedPart.class;
    }

    @Override
    public Map<String, String> render(RecordedPart part) {
        return Map.of(RecordedPart.TYPE, part.json(), "text/plain", part.text());
    }
}
