package io.vramlab.kernel;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.channel.Codec;

/** What the kernel says about itself. */
final class KernelInfo {

    private static final String VERSION = "0.1.0";

    private KernelInfo() {
    }

    static JsonObject content() {
        JsonObject language = new JsonObject();
        language.addProperty("name", "java");
        language.addProperty("version", Runtime.version().toString());
        language.addProperty("mimetype", "text/x-java");
        language.addProperty("file_extension", ".jsh");
        language.addProperty("pygments_lexer", "java");
        language.addProperty("codemirror_mode", "text/x-java");
        language.addProperty("nbconvert_exporter", "script");
        JsonObject content = Replies.ok();
        content.addProperty("protocol_version", Codec.PROTOCOL);
        content.addProperty("implementation", "vramlab");
        content.addProperty("implementation_version", VERSION);
        content.add("language_info", language);
        content.addProperty("banner",
                "VramLab %s: Java %s cells on a simulated or real GPU. %%lsmagic lists the magics."
                        .formatted(VERSION, Runtime.version().feature()));
        content.addProperty("debugger", false);
        JsonArray links = new JsonArray();
        links.add(link("Java API", "https://docs.oracle.com/en/java/javase/%d/docs/api/index.html"
                .formatted(Runtime.version().feature())));
        content.add("help_links", links);
        content.add("supported_features", new JsonArray());
        return content;
    }

    private static JsonObject link(String text, String url) {
        JsonObject link = new JsonObject();
        link.addProperty("text", text);
        link.addProperty("url", url);
        return link;
    }
}
