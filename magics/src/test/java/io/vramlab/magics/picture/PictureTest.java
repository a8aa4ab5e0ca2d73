package io.vramlab.magics.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.magics.picture.SceneShape.Anchor;
import io.vramlab.magics.picture.SceneShape.Box;
import io.vramlab.magics.picture.SceneShape.Label;
import io.vramlab.magics.table.Sanitizer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class PictureTest {

    private static final String HOSTILE = "\"><script>alert('x')</script>";

    private static Picture picture() {
        Scene scene = new Scene(100, 50).add(new Box(0, 0, 10, 10, Palette.group(0), HOSTILE))
                .add(new Box(10, 0, 10, 10, Palette.group(0), null)).add(new Box(20, 0, 10, 10, Palette.FREE, "free"))
                .add(SceneShape.Line.straight(0, 20, 100, 20, "#ff0000"))
                .add(new SceneShape.Area(new double[]{0, 5}, new double[]{30, 25}, new double[]{40, 40},
                        Palette.group(2)))
                .add(new Label(50, 45, HOSTILE, 11, Anchor.MIDDLE, true));
        return new Picture(scene, "Half of it is free " + HOSTILE, "▁█");
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void theSvgIsWellFormedAndHasNoScript() throws Exception {
        Document svg = parse(picture().svg());
        assertEquals(0, svg.getElementsByTagName("script").getLength());
        assertEquals(HOSTILE, svg.getElementsByTagName("text").item(0).getTextContent());
        assertFalse(picture().svg().contains("href"));
    }

    @Test
    void boxesOfOnePaintShareAPath() throws Exception {
        Document svg = parse(picture().svg());
        assertEquals("M0 5h10m0 0h10",
                svg.getElementsByTagName("path").item(0).getAttributes().getNamedItem("d").getNodeValue());
    }

    @Test
    void theImageSurvivesAnUntrustedNotebookWithItsTitles() {
        String html = picture().html();
        assertEquals(List.of(), Sanitizer.removed(html));
        assertTrue(html.contains(
                "<span style=\"position:absolute;left:20.00%;top:0.00%;width:10.00%;height:20.00%\" title=\"free\"></span>"),
                html);
        assertTrue(html.contains("alt=\"Half of it is free &quot;&gt;&lt;script"), html);
        assertEquals(List.of(), Sanitizer.removed(picture().pngHtml()));
    }

    @Test
    void thePngHasTheSameScene() throws Exception {
        var image = ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(picture().pngBase64())));
        assertEquals(200, image.getWidth());
        assertEquals(0x0072b2, image.getRGB(10, 10) & 0xffffff);
        assertEquals(0xffffff, image.getRGB(198, 2) & 0xffffff);
    }

    @Test
    void groupsDifferInColourAndNeighboursInHatchingOrBrightness() {
        Set<Paint> paints = new HashSet<>();
        for (int i = 0; i < Palette.size(); i++) {
            assertTrue(paints.add(Palette.group(i)));
            assertNotEquals(Palette.FREE, Palette.group(i));
        }
    }
}
