package io.vramlab.magics.table;

import io.vramlab.kernel.spi.text.Html;
import io.vramlab.kernel.spi.text.Visible;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A note below a table: what stands between back quotes is code. In text the back quotes stay, as readers of Markdown know them. */
final class NoteHtml {

    /** On one line, and with no blank just inside: a back quote alone, as in GNU's quotes, is none. */
    private static final Pattern CODE = Pattern.compile("`([^`\\s](?:[^`\\n]*[^`\\s])?)`");

    private NoteHtml() {
    }

    static String of(String note) {
        StringBuilder out = new StringBuilder("<div style=\"margin:2px 0;white-space:pre-wrap\">");
        String visible = Visible.text(note);
        Matcher code = CODE.matcher(visible);
        int from = 0;
        while (code.find()) {
            out.append(Html.escape(visible.substring(from, code.start()))).append("<code>")
                    .append(Html.escape(code.group(1))).append("</code>");
            from = code.end();
        }
        return out.append(Html.escape(visible.substring(from))).append("</div>").toString();
    }
}
