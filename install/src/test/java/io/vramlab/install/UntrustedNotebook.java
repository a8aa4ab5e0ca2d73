package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.install.browser.Browser;
import io.vramlab.install.browser.Lab;
import io.vramlab.install.browser.SavedNotebook;
import io.vramlab.install.notebook.KernelProcess;
import io.vramlab.install.notebook.Output;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every table and picture of every magic in a saved notebook, opened untrusted in JupyterLab in Chromium: all of it is to
 * be seen. Screenshots of each output go to {@code install/target/browser}. Its name keeps it out of a build, because it
 * wants chromium, chromedriver and JupyterLab; run it with
 * {@code mvn -pl install -am verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=UntrustedNotebook
 * -Dvramlab.jupyter=PATH/bin/jupyter}.
 */
class UntrustedNotebook {

    private static final Duration CELL = Duration.ofSeconds(60);
    private static final Path FOLDER = Path.of("target", "browser").toAbsolutePath();
    private static final String JUPYTER = System.getProperty("vramlab.jupyter", "jupyter");
    /** Cells that are meant to fail. */
    private static final List<String> FAILING = List.of("Tensor hog");

    private static SavedNotebook notebook;

    @BeforeAll
    static void runEveryMagic() throws IOException {
        Files.createDirectories(FOLDER);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = Stream.of(Stream.of(java), KernelSpec.JVM_FLAGS.stream(),
                Stream.of("-jar", System.getProperty("vramlab.jar"), "kernel", "{connection_file}"))
                .flatMap(words -> words).toList();
        notebook = new SavedNotebook();
        try (KernelProcess kernel = KernelProcess.start(command, FOLDER)) {
            for (String cell : cells()) {
                List<Output> outputs = kernel.execute(cell, CELL);
                boolean fails = FAILING.stream().anyMatch(cell::startsWith);
                assertEquals(fails, outputs.stream().anyMatch(Output::isError), cell + outputs);
                notebook.add(cell, outputs);
            }
        }
        String hostile = "<img src=\"x\" onerror=\"window.harmed=1\"><svg id=\"inline\"></svg><style id=\"styled\"></style>";
        notebook.add("// what a trusted notebook would show",
                List.of(new Output("data", "", "", Map.of("text/html", hostile))));
        notebook.write(FOLDER.resolve("all.ipynb"));
    }

    private static String[] cells() throws IOException {
        try (var in = UntrustedNotebook.class.getResourceAsStream("/browser/cells.java.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip().split("\n----\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Light", "Dark"})
    void everythingIsToBeSeen(String theme) throws IOException {
        try (Lab lab = new Lab(JUPYTER, FOLDER, theme); Browser browser = new Browser()) {
            browser.size(1280, 2400);
            browser.open(lab.of("all.ipynb"));
            browser.await(
                    "document.querySelectorAll('.jp-Cell .jp-OutputArea-output table').length >= " + notebook.tables());
            browser.run("document.querySelectorAll('.jp-Dialog').forEach(d => d.remove())");
            browser.await("[...document.images].every(i => i.complete)");
            assertTrue(browser.run("return document.getElementById('inline') === null && window.harmed === undefined"
                    + " && document.getElementById('styled') === null").getAsBoolean(), "the notebook is not trusted");
            assertEquals(theme.equals("Light"), browser
                    .run("return document.body.dataset.jpThemeLight === 'true'").getAsBoolean());
            look(browser, theme);
            browser.screenshots(".jp-Cell-outputArea", FOLDER, theme.toLowerCase(java.util.Locale.ROOT));
            browser.size(760, 2000);
            look(browser, theme + ", narrow");
            browser.screenshots(".jp-Cell-outputArea:has(img)", FOLDER,
                    "narrow-" + theme.toLowerCase(java.util.Locale.ROOT));
        }
    }

    /** Every picture is drawn, whole and within its column; every table is as high as its rows; a wide one can be scrolled. */
    private static void look(Browser browser, String when) {
        JsonObject seen = browser.run("""
                const outputs = [...document.querySelectorAll('.jp-OutputArea-output')];
                const within = e => { const o = e.closest('.jp-OutputArea-output'), a = e.getBoundingClientRect(),
                    b = o.getBoundingClientRect(); return a.width > 0 && a.height > 0 && a.right <= b.right + 1
                    && a.left >= b.left - 1; };
                const reachable = e => within(e) || ['auto', 'scroll'].includes(
                    getComputedStyle(e.closest('.jp-OutputArea-output')).overflowX)
                    || ['auto', 'scroll'].includes(getComputedStyle(e.closest('.jp-RenderedHTMLCommon')).overflowX);
                const images = outputs.flatMap(o => [...o.querySelectorAll('img[src^="data:"]')]);
                const tables = outputs.flatMap(o => [...o.querySelectorAll('table')]);
                const spots = outputs.flatMap(o => [...o.querySelectorAll('div > span[title]')]);
                const inside = s => { const a = s.getBoundingClientRect(),
                    b = s.parentElement.querySelector('img').getBoundingClientRect();
                    return getComputedStyle(s).position === 'absolute' && a.left >= b.left - 1 && a.right <= b.right + 1
                    && a.top >= b.top - 1 && a.bottom <= b.bottom + 1; };
                return {images: images.length, tables: tables.length, spots: spots.length,
                    badImages: images.filter(i => !(i.naturalWidth > 0 && within(i)
                        && Math.abs(i.width / i.height - i.naturalWidth / i.naturalHeight) < 0.05)).map(i => i.alt),
                    badTables: tables.filter(t => !(reachable(t) && t.rows.length > 0
                        && [...t.rows].every(r => r.getBoundingClientRect().height > 0))).map(t => t.innerText),
                    badSpots: spots.filter(s => !inside(s)).map(s => s.title)};""").getAsJsonObject();
        assertEquals(notebook.pictures(), seen.get("images").getAsInt(), when);
        assertEquals(notebook.tables(), seen.get("tables").getAsInt(), when);
        assertEquals(notebook.titles(), seen.get("spots").getAsInt(), when);
        for (Map.Entry<String, JsonElement> bad : seen.entrySet()) {
            assertTrue(!(bad.getValue() instanceof JsonArray list) || list.isEmpty(), when + ": " + bad);
        }
    }

    @Test
    void asAPageAndInPrint() throws Exception {
        Process convert = new ProcessBuilder(JUPYTER, "nbconvert", "--to", "html", "all.ipynb")
                .directory(FOLDER.toFile()).redirectErrorStream(true)
                .redirectOutput(FOLDER.resolve("nbconvert.log").toFile()).start();
        assertEquals(0, convert.waitFor());
        try (Browser browser = new Browser()) {
            browser.size(Browser.PRINTED_WIDTH, 2400);
            browser.open(FOLDER.resolve("all.html").toUri().toString());
            browser.await("[...document.images].filter(i => i.src.startsWith('data:')).every(i => i.complete)");
            assertEquals(notebook.pictures(), browser.run(
                    "return [...document.images].filter(i => i.src.startsWith('data:') && i.naturalWidth > 0).length")
                    .getAsInt());
            assertEquals(notebook.tables(), browser.run("return document.querySelectorAll('table').length").getAsInt());
            assertEquals("", browser.run("""
                    return [...document.querySelectorAll('table')].filter(t => t.getBoundingClientRect().right
                        > t.closest('.jp-OutputArea-output').getBoundingClientRect().right + 1)
                        .map(t => t.innerText).join()""").getAsString(), "tables that print would cut");
            browser.screenshots(".jp-Cell:has(img)", FOLDER, "page");
            browser.print(FOLDER.resolve("print.pdf"));
        }
        assertTrue(Files.size(FOLDER.resolve("print.pdf")) > 100_000);
    }
}
