package io.vramlab.install.notebook;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

import io.vramlab.memory.WholeFile;

/** Results in the form that build servers read: one test case for each notebook. */
public final class JUnitFile {

    private JUnitFile() {
    }

    /**
     * One notebook.
     *
     * @param name its file
     * @param failure what differs; empty when nothing does
     */
    public record Case(String name, String failure) {
    }

    /** Writes the file. */
    public static void write(Path file, List<Case> cases) throws IOException {
        StringWriter out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", "vramlab verify");
            xml.writeAttribute("tests", Integer.toString(cases.size()));
            xml.writeAttribute("failures",
                    Long.toString(cases.stream().filter(test -> !test.failure().isEmpty()).count()));
            for (Case test : cases) {
                xml.writeStartElement("testcase");
                xml.writeAttribute("classname", "notebooks");
                xml.writeAttribute("name", legal(test.name()));
                if (!test.failure().isEmpty()) {
                    xml.writeStartElement("failure");
                    xml.writeAttribute("message", legal(test.failure().lines().findFirst().orElse("").strip()));
                    xml.writeCharacters(legal(test.failure()));
                    xml.writeEndElement();
                }
                xml.writeEndElement();
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
            WholeFile.write(file, out.toString());
        } catch (XMLStreamException unwritable) {
            throw new IOException(unwritable);
        }
    }

    /** Outputs may hold control characters, which XML has no form for. */
    private static String legal(String text) {
        return text.codePoints()
                .map(c -> c == '\n' || c == '\t' || c >= ' ' && (c < 0xd800 || c > 0xdfff) && c < 0xfffe || c > 0xffff
                        ? c
                        : '\ufffd')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }
}
