package io.vramlab.install.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

class JUnitFileTest {

    @TempDir
    private Path folder;

    @Test
    void failuresAreCountedAndWhateverACellPrintedIsStillXml() throws Exception {
        Path file = folder.resolve("results.xml");
        JUnitFile.write(file, List.of(new JUnitFile.Case("good.ipynb", ""),
                new JUnitFile.Case("bad.ipynb", "cell 1: \u0000<b>&\u001b[31m\nrecorded: 1")));
        Element suite = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile())
                .getDocumentElement();
        assertEquals("2", suite.getAttribute("tests"));
        assertEquals("1", suite.getAttribute("failures"));
        assertEquals(1, suite.getElementsByTagName("failure").getLength());
        assertTrue(suite.getElementsByTagName("failure").item(0).getTextContent().contains("<b>&"));
    }
}
