package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.vramlab.install.report.HostileReport;
import io.vramlab.kernel.spi.text.HostileNames;
import io.vramlab.kernel.spi.text.Visible;

/**
 * Reports with hostile names, exported by nbconvert: no element comes of a name, and every name shows as it is written.
 * {@code -Dvramlab.names=10000} makes it long.
 */
class HostileNamesIT {

    private static final int NAMES = Integer.getInteger("vramlab.names", 200);
    private static final Pattern CELL = Pattern.compile("<td[^>]*>(.*?)</td>", Pattern.DOTALL);
    private static final Pattern TAG = Pattern.compile("<([a-zA-Z!/?][^\\s>]*)([^>]*)>");
    private static final Pattern REFERENCE = Pattern.compile("</?span>|&(?:#([0-9]+)|([a-z]+));");
    private static final Map<String, String> NAMED = Map.of("lt", "<", "gt", ">", "quot", "\"", "amp", "&");

    @TempDir
    private Path folder;

    private String exported(String name, List<String> names) throws IOException, InterruptedException {
        Path notebook = folder.resolve(name + ".ipynb");
        HostileReport.write(notebook, names);
        Commands.run(Map.of(), List.of(Commands.jupyterPython(), "-m", "nbconvert", "--to", "html",
                notebook.toString())).ok();
        String page = Files.readString(folder.resolve(name + ".html"));
        return page.substring(page.indexOf("<main"), page.indexOf("</main>"));
    }

    /** How many there are of each element with its attributes, leaving out what differs with the text of a heading. */
    private static Map<String, Integer> elements(String page) {
        Map<String, Integer> found = new TreeMap<>();
        Matcher tags = TAG.matcher(page);
        while (tags.find()) {
            String tag = tags.group(1);
            String attributes = tag.matches("h1|a") ? names(tags.group(2)) : tags.group(2);
            found.merge(tag + attributes, 1, Integer::sum);
        }
        found.keySet().removeAll(List.of("span", "/span"));
        return found;
    }

    private static String names(String attributes) {
        return attributes.replaceAll("(id|href)=\"#?[^\"<>]*\"", "$1");
    }

    private static String drawn(String html) {
        return REFERENCE.matcher(html).replaceAll(m -> Matcher.quoteReplacement(m.group().startsWith("<")
                ? ""
                : m.group(1) == null
                        ? NAMED.getOrDefault(m.group(2), m.group())
                        : Character.toString(Integer.parseInt(m.group(1)))));
    }

    private static String spaced(String text) {
        return text.replaceAll("(?U)[\\s\\p{Z}\\ufeff]+", " ").strip();
    }

    @Test
    void nothingInAnExportedReportComesOfANameAndEveryNameIsShown() throws Exception {
        List<String> hostile = HostileNames.some(NAMES);
        String page = exported("hostile", hostile);
        assertEquals(elements(exported("harmless", Collections.nCopies(NAMES, "name"))), elements(page));
        List<String> shown = new ArrayList<>();
        Matcher cells = CELL.matcher(page);
        while (cells.find()) {
            shown.add(spaced(drawn(cells.group(1))));
        }
        assertEquals(2 * NAMES, shown.size());
        int told = 0;
        for (int i = 0; i < NAMES; i++) {
            String name = spaced(Visible.line(hostile.get(i)));
            assertEquals(name, shown.get(2 * i));
            assertEquals(spaced("x" + Visible.line(hostile.get(i))), shown.get(2 * i + 1));
            told++;
        }
        assertTrue(told == NAMES && !page.contains("href=\"http") && !page.contains("javascript:\""), "told " + told);
        System.out.println(told + " hostile names through nbconvert: " + shown.size() + " cells as written");
    }
}
