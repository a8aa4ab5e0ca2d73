package io.vramlab.kernel.spi.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Names as somebody gives them who wants a reader's browser, terminal or kernel to do something. The same ones every time. */
public final class HostileNames {

    private static final List<String> PARTS = List.of("\\[js](javascript:alert(1))", "[js](javascript:alert(1))",
            "![x](https://evil.example/x.png)", "<script>window.hostile=1</script>",
            "<img src=x onerror=window.hostile=1>",
            "__call__", "**bold**", "*em*", "`code`", "~~gone~~", "$\\href{javascript:alert(1)}{x}$", "$$x$$",
            "\\(x\\)",
            "\\begin{align}x\\end{align}", "<javascript:alert(1)>", "<https://evil.example>", "https://evil.example/a",
            "www.evil.example", "mailto:a@evil.example", "a@evil.example", "[x]: https://evil.example", "[^1]",
            "[^1]: note",
            "*[HTML]: abbreviation", "# heading", "- item", "1. item", "> quote", "---", "===", "```", "    code",
            "- [x] done",
            "|", "\\|", "\\", "&lt;script&gt;", "&#60;script&#62;", "&copy;", "&", "<", ">", "\"", "'", "\" onload=\"x",
            "' style='x", "</td></tr></table>", "<!--", "-->", "<![CDATA[", "<?php",
            "\n\n<script>window.hostile=1</script>\n\n",
            "\r", "\t", "\u001b[31m", "\u001b]0;title\u0007", "\u001b[2J", "\b", "\0", "\u0085", "\u009b31m",
            "\u202egnp.exe",
            "\u2066", "\u2028", "\u200f", "\ufeff", "\ud800", "\udc00", "𝕏", "ü", "\"); System.exit(1); //",
            "\"\nSystem.exit(1);\n//", "\\u0022);System.exit(1);//", "%sh rm", "%%sh", "--limit", "-o", "; %sh x",
            "${x}", "{{7*7}}",
            "{% raw %}", "@@0@@", ":smile:", "=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "lambda$main$0",
            "../../etc", "~",
            "<svg/onload=window.hostile=1>", "<iframe src=javascript:alert(1)>", "<a href='javascript:alert(1)'>x</a>",
            "<math><mi xlink:href='javascript:alert(1)'>", "<style>@import 'https://evil.example'</style>", "[[x]]",
            "!!!", "???");

    private HostileNames() {
    }

    /** So many: every part alone first, then parts and random characters put together. */
    public static List<String> some(int count) {
        Random random = new Random(15);
        List<String> names = new ArrayList<>(PARTS.subList(0, Math.min(count, PARTS.size())));
        while (names.size() < count) {
            StringBuilder name = new StringBuilder();
            for (int i = random.nextInt(5); i >= 0; i--) {
                switch (random.nextInt(4)) {
                    case 0 -> name.appendCodePoint(32 + random.nextInt(96));
                    case 1 -> name.append((char) random.nextInt(0x3000));
                    default -> name.append(PARTS.get(random.nextInt(PARTS.size())));
                }
            }
            names.add(name.toString());
        }
        return names;
    }
}
