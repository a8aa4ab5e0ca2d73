package io.vramlab.kernel;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.complete.CodePoints;
import io.vramlab.kernel.internal.complete.Completer;
import io.vramlab.kernel.internal.complete.Completion;
import io.vramlab.kernel.internal.complete.Inspector;
import io.vramlab.kernel.internal.complete.Wholeness;
import io.vramlab.kernel.internal.eval.Interpreter;
import io.vramlab.kernel.internal.magic.KernelSession;
import io.vramlab.kernel.internal.magic.Magics;
import io.vramlab.kernel.internal.magic.Question;
import io.vramlab.kernel.spi.MimeBundle;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers what frontends ask while the user types. */
final class Assistance {

    /** {@code String.strip}: JShell knows such a method of an object only. */
    private static final Pattern MEMBER = Pattern.compile("^([\\w.]*[A-Z]\\w*)(\\.[a-z]\\w*)$");
    private static final Pattern EXIT = Pattern.compile("\\s*/?(exit|quit)\\s*;?\\s*");

    private final CompletableFuture<Interpreter> interpreter;
    private final Magics magics;
    private final Completer completer;
    private final Inspector inspector;

    Assistance(CompletableFuture<Interpreter> interpreter, Magics magics, KernelSession session) {
        this.interpreter = interpreter;
        this.magics = magics;
        this.completer = new Completer(magics, session);
        this.inspector = new Inspector(magics, session::addedToClasspath,
                () -> interpreter.join().declarations(), jars -> interpreter.join().documentationSources(jars));
    }

    JsonObject complete(ContentFields fields) throws ContentFields.BadRequestException {
        String code = fields.text("code");
        int cursor = CodePoints.toIndex(code, fields.number("cursor_pos", Integer.MAX_VALUE));
        Completion completion = completer.complete(interpreter.join().analysis(), code, cursor);
        int start = CodePoints.toPosition(code, completion.start());
        int end = CodePoints.toPosition(code, completion.end());
        JsonArray matches = new JsonArray();
        JsonArray types = new JsonArray();
        for (Completion.Match match : completion.matches()) {
            matches.add(match.text());
            JsonObject type = new JsonObject();
            type.addProperty("text", match.text());
            type.addProperty("type", match.type());
            type.addProperty("start", start);
            type.addProperty("end", end);
            types.add(type);
        }
        JsonObject metadata = new JsonObject();
        metadata.add("_jupyter_types_experimental", types);
        JsonObject content = Replies.ok();
        content.add("matches", matches);
        content.addProperty("cursor_start", start);
        content.addProperty("cursor_end", end);
        content.add("metadata", metadata);
        return content;
    }

    JsonObject inspect(ContentFields fields) throws ContentFields.BadRequestException {
        String code = fields.text("code");
        int cursor = CodePoints.toIndex(code, fields.number("cursor_pos", 0));
        Optional<Inspector.Known> found = inspector.inspect(interpreter.join().analysis(), code, cursor,
                fields.number("detail_level", 0) > 0);
        JsonObject content = Replies.ok();
        content.addProperty("found", found.isPresent());
        content.add("data", found.map(Assistance::data).orElseGet(JsonObject::new));
        content.add("metadata", new JsonObject());
        return content;
    }

    private static JsonObject data(Inspector.Known known) {
        JsonObject data = new JsonObject();
        data.addProperty("text/plain", known.plain());
        data.addProperty("text/html", known.html());
        return data;
    }

    /**
     * What a frontend shall do in place of running the cell: for one like {@code Math.max?} or {@code ?Math.max}, show a page,
     * with two question marks all of it; for {@code exit} and {@code quit}, unless a variable has that name, ask the user and end.
     */
    Optional<JsonObject> payload(String code) {
        Matcher exit = EXIT.matcher(code);
        if (exit.matches()
                && interpreter.join().variables().stream().noneMatch(each -> each.name().equals(exit.group(1)))) {
            JsonObject end = new JsonObject();
            end.addProperty("source", "ask_exit");
            end.addProperty("keepkernel", false);
            return Optional.of(end);
        }
        return Optional.ofNullable(Question.of(code)).map(this::payload);
    }

    private JsonObject payload(Question question) {
        JsonObject data = new JsonObject();
        Optional<MimeBundle> known = question.subject().isEmpty()
                ? Optional.of(MimeBundle.text(magics.named("help").help()))
                : page(question.subject(), question.full());
        known.orElseGet(() -> MimeBundle.text("nothing is known of " + question.subject())).data()
                .forEach(data::addProperty);
        JsonObject page = new JsonObject();
        page.addProperty("source", "page");
        page.add("data", data);
        page.addProperty("start", 0);
        return page;
    }

    /** What is known of a name. */
    Optional<MimeBundle> page(String subject, boolean full) {
        return known(subject, full).or(() -> known(MEMBER.matcher(subject).replaceFirst("(($1) null)$2"), full))
                .map(known -> new MimeBundle(Map.of("text/plain", known.plain(), "text/html", known.html())));
    }

    private Optional<Inspector.Known> known(String text, boolean full) {
        return inspector.inspect(interpreter.join().analysis(), text, text.length(), full);
    }

    JsonObject isComplete(ContentFields fields) throws ContentFields.BadRequestException {
        Wholeness wholeness = Wholeness.of(interpreter.join().analysis(), magics, fields.text("code"));
        JsonObject content = new JsonObject();
        content.addProperty("status", wholeness.status());
        if (wholeness.status().equals("incomplete")) {
            content.addProperty("indent", wholeness.indent());
        }
        return content;
    }
}
