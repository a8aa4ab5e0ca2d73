package io.vramlab.kernel.internal.display;

import io.vramlab.kernel.spi.Renderer;
import java.awt.image.RenderedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Map;
import javax.imageio.ImageIO;

/** Pictures, {@code BufferedImage} among them, as PNG. */
public final class ImageRenderer implements Renderer<RenderedImage> {

    @Override
    public Class<RenderedImage> type() {
        return RenderedImage.class;
    }

    @Override
    public Map<String, String> render(RenderedImage value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(value, "png", bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.of("text/plain", "image, %d x %d pixels".formatted(value.getWidth(), value.getHeight()), "image/png",
                Base64.getEncoder().encodeToString(bytes.toByteArray()));
    }
}
