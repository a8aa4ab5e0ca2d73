package io.vramlab.install.report;

import java.util.List;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import io.vramlab.install.advice.Advice;
import io.vramlab.install.diagnosis.Finding;
import io.vramlab.install.diagnosis.ToldLine;
import io.vramlab.install.story.Story;

/** Verdicts for programs: all that was found, with all advice, as JSON. Sizes are bytes, events are counted from 0. */
public final class VerdictData {

    private VerdictData() {
    }

    /** The text. */
    public static String of(List<ReportVerdict> verdicts) {
        JsonArray devices = new JsonArray();
        for (ReportVerdict verdict : verdicts) {
            devices.add(device(verdict));
        }
        JsonObject root = new JsonObject();
        root.add("devices", devices);
        return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(root);
    }

    private static JsonObject device(ReportVerdict verdict) {
        Story story = verdict.diagnosis().evidence().story();
        JsonObject device = new JsonObject();
        device.addProperty("device", verdict.device());
        device.addProperty("events", story.events().size());
        device.addProperty("peak_in_use", story.live(story.peak()));
        device.addProperty("peak_reserved", story.mostReserved(story.events().size() - 1));
        JsonArray failures = new JsonArray();
        story.failures().forEach(event -> {
            JsonObject failure = new JsonObject();
            failure.addProperty("event", event);
            failure.addProperty("asked", story.events().get(event).size());
            failure.addProperty("device_free", story.events().get(event).address());
            failures.add(failure);
        });
        device.add("failures", failures);
        device.addProperty("decisive_event", verdict.diagnosis().evidence().at());
        device.add("verdict", finding(verdict, verdict.diagnosis().verdict()));
        JsonArray others = new JsonArray();
        verdict.diagnosis().others().forEach(other -> others.add(finding(verdict, other)));
        device.add("others", others);
        JsonArray held = new JsonArray();
        HeldLine.of(verdict.diagnosis().evidence()).forEach(line -> held.add(held(line)));
        device.add("held", held);
        device.add("changed_since", texts(verdict.diagnosis().evidence().program().changed()));
        device.add("figures", texts(verdict.diagnosis().figures().sentences()));
        JsonArray advice = new JsonArray();
        verdict.advice().forEach(one -> advice.add(advice(one)));
        device.add("advice", advice);
        return device;
    }

    private static JsonObject held(HeldLine line) {
        JsonObject object = new JsonObject();
        object.addProperty("line", line.line());
        object.addProperty("source", line.source());
        object.addProperty("blocks", line.blocks());
        object.addProperty("bytes", line.bytes());
        return object;
    }

    private static JsonObject finding(ReportVerdict verdict, Finding finding) {
        JsonObject object = new JsonObject();
        object.addProperty("cause", finding.kind().id());
        object.addProperty("text", finding.kind().text());
        object.addProperty("certainty", finding.certainty().name().toLowerCase(java.util.Locale.ROOT));
        object.addProperty("line", finding.line());
        object.addProperty("source", verdict.diagnosis().evidence().program().line(finding.line()));
        object.addProperty("within", finding.within());
        JsonArray lines = new JsonArray();
        finding.lines().forEach(line -> lines.add(line(verdict, line)));
        object.add("lines", lines);
        object.addProperty("share", Math.min(1, finding.share()));
        object.add("because", texts(finding.because()));
        object.addProperty("surer", finding.surer());
        return object;
    }

    private static JsonObject line(ReportVerdict verdict, ToldLine line) {
        JsonObject object = new JsonObject();
        object.addProperty("role", line.role().id());
        object.addProperty("line", line.line());
        object.addProperty("source", verdict.diagnosis().evidence().program().line(line.line()));
        return object;
    }

    private static JsonObject advice(Advice advice) {
        JsonObject object = new JsonObject();
        object.addProperty("what", advice.what());
        object.addProperty("proven", advice.isProven());
        object.addProperty("proof", advice.proof());
        if (advice.isProven()) {
            object.addProperty("peak_allocated", advice.allocated());
            object.addProperty("peak_reserved", advice.reserved());
            object.addProperty("every_request_served", advice.enough());
            object.addProperty("peak_lower_by", advice.saved());
        }
        return object;
    }

    private static JsonArray texts(List<String> texts) {
        JsonArray array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }
}
