package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.vramlab.footprint.Rule;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/**
 * The code names sections of the pages that specify it, the pages name the classes that hold their rules, and sections
 * name one another: all of these are there. So are the recordings, each with what made it.
 */
class SpecificationTest {

    /** Which package a page means where it names none. */
    private static final Map<String, String> PACKAGES = Map.of("docs/allocator.md", "io/vramlab/memory/",
            "docs/footprint.md", "io/vramlab/footprint/", "docs/house.md", "io/vramlab/");

    private static final Pattern END_OF_LINE = Pattern.compile("\\R\\s*(?:\\*|//)?\\s*");
    private static final Pattern REFERENCE = Pattern.compile("(docs/[\\w/-]+\\.md)((?:(?:, | and )\"[^\"]+\")+)");
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");
    private static final Pattern ELSEWHERE = Pattern
            .compile("\\bspec[.]? ?§|(?:allocator[-]spec|reduction[-]scratch)\\b");
    private static final Pattern HEADING = Pattern.compile("^#+ (?<title>(?:[\\d.]+ )?(?<words>.+))$",
            Pattern.MULTILINE);
    private static final Pattern CLASSES = Pattern.compile("^Classes: .+\\.$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern ANCHOR = Pattern.compile("\\]\\(([^)#\\s:]*)#([^)\\s]+)\\)");

    @Test
    void everySectionThatTheCodeNamesIsThere() throws IOException {
        List<String> named = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Path file : files(".java")) {
            for (MatchResult reference : REFERENCE.matcher(oneLine(file)).results().toList()) {
                List<String> titles = Files.exists(Checkout.file(reference.group(1)))
                        ? headings(Checkout.file(reference.group(1)), "words")
                        : List.of();
                for (MatchResult title : QUOTED.matcher(reference.group(2)).results().toList()) {
                    named.add(title.group(1));
                    if (!titles.contains(title.group(1))) {
                        missing.add(file.getFileName() + ": " + reference.group(1) + ", " + title.group());
                    }
                }
            }
        }
        assertEquals(List.of(), missing);
        assertFalse(named.isEmpty());
    }

    @Test
    void theCodeNamesNoSpecificationThatReadersDoNotHave() throws IOException {
        List<String> elsewhere = new ArrayList<>();
        for (Path file : files(".java")) {
            if (ELSEWHERE.matcher(Files.readString(file)).find()) {
                elsewhere.add(file.toString());
            }
        }
        assertEquals(List.of(), elsewhere);
    }

    @Test
    void everyClassThatThePagesNameIsThere() throws IOException {
        List<String> sources = files(".java").stream().map(file -> file.toString().replace('\\', '/')).toList();
        List<String> missing = new ArrayList<>();
        for (Map.Entry<String, String> page : PACKAGES.entrySet()) {
            List<MatchResult> lists = CLASSES.matcher(oneLineParagraphs(Checkout.text(page.getKey()))).results()
                    .toList();
            assertFalse(lists.isEmpty(), page.getKey());
            for (MatchResult list : lists) {
                for (MatchResult name : CODE.matcher(list.group()).results().toList()) {
                    String path = name.group(1).contains(".")
                            ? name.group(1).replace('.', '/')
                            : page.getValue() + name.group(1);
                    if (sources.stream().noneMatch(source -> source.endsWith("/src/main/java/" + path + ".java"))) {
                        missing.add(page.getKey() + ": " + name.group(1));
                    }
                }
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void everyRuleOfTheFootprintHasARowThatSaysWhereItComesFrom() {
        String page = Checkout.text("docs/footprint.md");
        List<String> missing = new ArrayList<>();
        for (Rule rule : Rule.values()) {
            String known = rule.basis() == Rule.Basis.DERIVED ? "derived (" + rule.source() : "fitted to an H200";
            Pattern row = Pattern.compile("(?m)^\\| " + Pattern.quote(rule.what()) + " \\| `"
                    + rule.where().getSimpleName() + "` \\| .*" + Pattern.quote(known));
            if (!row.matcher(page).find()) {
                missing.add(rule + ": " + row);
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void everySectionThatADocumentLinksToIsThere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : files(".md")) {
            for (MatchResult link : ANCHOR.matcher(Files.readString(document)).results().toList()) {
                Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
                if (headings(target, "title").stream().noneMatch(title -> anchor(title).equals(link.group(2)))) {
                    broken.add(document + ": " + link.group());
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    @Test
    void everyRecordingIsNamedWithItsRecorder() throws IOException {
        String page = Checkout.text("docs/recordings.md");
        List<String> unnamed = new ArrayList<>();
        try (Stream<Path> files = Files.list(Checkout.file("runtime/conformance/src/test/resources/oracle"))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString().replaceFirst("^operations-.*",
                        "operations-N-K-M-DTYPE.json.gz");
                if (!page.contains("`" + name + "`") && !page.contains("`" + name + " ")) {
                    unnamed.add(name);
                }
            }
        }
        assertEquals(List.of(), unnamed);
    }

    private static List<String> headings(Path page, String part) throws IOException {
        return HEADING.matcher(Files.readString(page)).results().map(heading -> heading.group(part)).toList();
    }

    /** The name that Markdown's readers give a heading. */
    private static String anchor(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
    }

    /** A file without the breaks of its comments' lines, if it speaks of documents; else nothing. */
    private static String oneLine(Path file) throws IOException {
        String text = Files.readString(file);
        return text.contains("docs/") ? END_OF_LINE.matcher(text).replaceAll(" ") : "";
    }

    private static String oneLineParagraphs(String text) {
        return List.of(text.split("\\R{2,}")).stream().map(paragraph -> paragraph.strip().replaceAll("\\R", " "))
                .collect(Collectors.joining("\n"));
    }

    /** The files of the checkout that end so, without what was built. */
    private static List<Path> files(String ending) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(Checkout.root(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean built = name.equals("target") || name.startsWith(".") && !folder.equals(Checkout.root());
                return built ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(ending)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found.stream().sorted().toList();
    }
}
