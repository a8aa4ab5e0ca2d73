package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.vramlab.install.browser.Browser;
import io.vramlab.install.browser.Lab;
import io.vramlab.install.report.HostileReport;
import io.vramlab.kernel.spi.text.HostileNames;

/**
 * Reports with hostile names, drawn by JupyterLab in Chromium: nothing active is on the page, nothing ran, nothing was
 * fetched from elsewhere. Its name keeps it out of a build, as {@link UntrustedNotebook}'s does; run it the same way, with
 * {@code -Dvramlab.names=10000}.
 */
class HostileNamesInTheBrowser {

    private static final int NAMES = Integer.getInteger("vramlab.names", 10_000);
    private static final int A_PAGE = 1_000;
    private static final Path FOLDER = Path.of("target", "hostile").toAbsolutePath();

    /** Counts, within what was drawn of the notebook's text: active elements, attributes that run, links to elsewhere, formulas. */
    private static final String FOUND = """
            const all = [...document.querySelectorAll('.jp-RenderedMarkdown *')];
            const own = location.origin;
            const count = test => all.filter(test).length;
            return [
              count(e => ['SCRIPT','IFRAME','OBJECT','EMBED','FORM','INPUT','IMG','SVG','MATH','STYLE','LINK','BASE','META','VIDEO','AUDIO']
                  .includes(e.tagName.toUpperCase())),
              all.filter(e => [...e.attributes].some(a => a.name.startsWith('on') || a.name === 'style' && a.value !== '' && e.tagName !== 'TD'
                  || ['href','src','action','formaction','xlink:href','srcdoc','data'].includes(a.name) && !a.value.startsWith('#')))
                  .map(e => e.outerHTML).join() || 0,
              count(e => e.tagName === 'A' && !e.classList.contains('jp-InternalAnchorLink')),
              count(e => e.tagName.startsWith('MJX') || ['EM','STRONG','DEL','CODE','UL','OL','BLOCKQUOTE','HR'].includes(e.tagName)),
              window.hostile ? 1 : 0,
              performance.getEntriesByType('resource').filter(r => !r.name.startsWith(own) && !r.name.startsWith('data:')
                  && !r.name.startsWith('blob:')).length
            ].join(',');""";

    @Test
    void nothingActiveIsOnThePage() throws Exception {
        Files.createDirectories(FOLDER);
        List<String> names = HostileNames.some(NAMES);
        int rows = 0;
        try (Lab lab = new Lab(System.getProperty("vramlab.jupyter", "jupyter"), FOLDER, "Light");
                Browser browser = new Browser()) {
            for (int from = 0; from < NAMES; from += A_PAGE) {
                List<String> some = names.subList(from, Math.min(NAMES, from + A_PAGE));
                String file = "names-" + from + ".ipynb";
                HostileReport.write(FOLDER.resolve(file), some);
                browser.open(lab.of(file));
                browser.await("document.querySelectorAll('.jp-RenderedMarkdown td').length >= " + 2 * some.size());
                browser.await("document.querySelectorAll('.jp-RenderedMarkdown h1').length >= " + some.size());
                Thread.sleep(2_000); // formulas are drawn, and pictures fetched, after the text
                assertEquals("0,0,0,0,0,0", browser.run(FOUND).getAsString(), file);
                rows += browser.run("return document.querySelectorAll('.jp-RenderedMarkdown tbody tr').length")
                        .getAsInt();
            }
        }
        assertEquals(NAMES, rows);
        System.out.println(NAMES + " hostile names in JupyterLab: nothing active in " + rows + " rows");
    }
}
