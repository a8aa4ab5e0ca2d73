package io.vramlab.magics.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What JupyterLab 4's sanitizer would take away from HTML in a notebook that is not trusted. The lists are the part of
 * its allow-lists that the magics use: whatever is not in them counts as taken away.
 */
public final class Sanitizer {

    private static final Pattern TAG = Pattern.compile("<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\\s+[a-z-]+=\"[^\"]*\")*)\\s*>");
    private static final Pattern ATTRIBUTE = Pattern.compile("([a-z-]+)=\"([^\"]*)\"");
    private static final Set<String> TAGS = Set.of("b", "br", "caption", "code", "details", "div", "img", "pre",
            "small", "span",
            "summary", "table", "tbody", "td", "th", "thead", "tr",
            "wbr");
    private static final Set<String> EVERYWHERE = Set.of("style", "title");
    private static final Map<String, Set<String>> ATTRIBUTES = Map.of("img",
            Set.of("alt", "height", "src", "width"), "td", Set.of("colspan"), "th", Set.of("colspan"));
    private static final String LENGTH = "[0-9.]+(px|%)|none|auto";
    private static final Map<String, Pattern> STYLES = Map.ofEntries(style("border-collapse", "collapse|separate"),
            style("caption-side", "top|bottom"), style("font-family", "monospace"),
            style("font-weight", "normal|bold"), style("margin", "((0|[0-9.]+(px|em))\\s*){1,4}"),
            style("max-width", LENGTH), style("width", LENGTH), style("height", LENGTH), style("left", LENGTH),
            style("top", LENGTH), style("position", "static|relative|absolute"),
            style("padding", "((0|[0-9.]+(px|em))\\s*){1,4}"),
            style("page-break-inside", "auto|avoid"), style("text-align", "left|right|center"),
            style("white-space", "normal|pre|nowrap|pre-wrap"));

    private Sanitizer() {
    }

    private static Map.Entry<String, Pattern> style(String name, String values) {
        return Map.entry(name, Pattern.compile(values));
    }

    /** Everything in the HTML that would not survive; empty if all does. */
    public static List<String> removed(String html) {
        List<String> removed = new ArrayList<>();
        Matcher tags = TAG.matcher(html);
        int end = 0;
        while (tags.find()) {
            text(html.substring(end, tags.start()), removed);
            end = tags.end();
            String tag = tags.group(2);
            if (!TAGS.contains(tag)) {
                removed.add("<" + tag + ">");
            }
            Matcher attributes = ATTRIBUTE.matcher(tags.group(3));
            while (attributes.find()) {
                attribute(tag, attributes.group(1), attributes.group(2), removed);
            }
        }
        text(html.substring(end), removed);
        return removed;
    }

    private static void text(String text, List<String> removed) {
        if (text.indexOf('<') >= 0) {
            removed.add("a loose < in: " + text);
        }
    }

    private static void attribute(String tag, String name, String value, List<String> removed) {
        if (!EVERYWHERE.contains(name) && !ATTRIBUTES.getOrDefault(tag, Set.of()).contains(name)) {
            removed.add(tag + " " + name);
        }
        if (name.equals("style")) {
            for (String declaration : value.split(";")) {
                String[] parts = declaration.split(":", 2);
                Pattern allowed = STYLES.get(parts[0].strip());
                if (allowed == null || !allowed.matcher(parts[1].strip()).matches()) {
                    removed.add(tag + " style " + declaration);
                }
            }
        }
    }
}
