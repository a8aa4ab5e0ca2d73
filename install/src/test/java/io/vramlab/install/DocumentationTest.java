package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.vramlab.install.notebook.NotebookFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;

/** The documents say what is so. */
class DocumentationTest {

    private static final Pattern CODE_IN_FIRST_COLUMN = Pattern.compile("^\\| `([^`]+)`", Pattern.MULTILINE);
    private static final Pattern RELATIVE_LINK = Pattern.compile("\\]\\(((?!https?:|#)[^)#\\s]+)");

    /** So many letters has a line of a cell's code when Chromium prints nbconvert's page on A4 portrait. */
    private static final int A4_LETTERS = 73;

    private static Set<String> directDependencies() throws Exception {
        Set<String> found = new TreeSet<>();
        for (Path module : Checkout.modules()) {
            var document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                    .parse(module.resolve("pom.xml").toFile());
            var names = (NodeList) XPathFactory.newInstance().newXPath().evaluate(
                    "/project/dependencies/dependency/artifactId", document,
                    XPathConstants.NODESET);
            for (int i = 0; i < names.getLength(); i++) {
                found.add(names.item(i).getTextContent());
            }
        }
        found.removeIf(name -> name.startsWith("vramlab-"));
        return found;
    }

    private static String section(String text, String heading) {
        String after = text.split("\n## " + heading + "\n", 2)[1];
        return after.split("\n## ", 2)[0];
    }

    @Test
    void theReadmeListsEveryDirectDependencyAndNoOther() throws Exception {
        Set<String> listed = new TreeSet<>(
                CODE_IN_FIRST_COLUMN.matcher(section(Checkout.text("README.md"), "Dependencies")).results()
                        .map(found -> found.group(1)).toList());
        assertEquals(directDependencies(), listed);
    }

    @Test
    void everyRelativeLinkInTheDocumentsLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            for (MatchResult link : RELATIVE_LINK.matcher(Files.readString(document)).results().toList()) {
                if (!Files.exists(document.resolveSibling(link.group(1)))) {
                    broken.add(document + ": " + link.group(1));
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    @Test
    void thereAreDocuments() throws IOException {
        assertFalse(documents().isEmpty());
    }

    /** Texts for readers, notebooks among them. */
    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(Checkout.root());
                Stream<Path> docs = Files.walk(Checkout.file("docs"));
                Stream<Path> notebooks = Files.walk(Checkout.file("notebooks"))) {
            return Stream.of(top, docs, notebooks).flatMap(paths -> paths)
                    .filter(path -> path.toString().matches(".*\\.(md|ipynb)")
                            && !path.toString().contains(".ipynb_checkpoints"))
                    .sorted().toList();
        }
    }

    @Test
    void noLineOfCodeInANotebookIsCutOffOnPaper() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (String folder : List.of("articles", "course", "reports")) {
            try (Stream<Path> files = Files.list(Checkout.file("notebooks/" + folder))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".ipynb")).toList()) {
                    NotebookFile.read(file).cells().forEach(cell -> cell.source().lines()
                            .filter(line -> line.length() > A4_LETTERS)
                            .forEach(line -> tooLong.add(file.getFileName() + ": " + line)));
                }
            }
        }
        assertEquals(List.of(), tooLong);
    }
}
