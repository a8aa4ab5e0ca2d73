package io.vramlab.magics.view;

import io.vramlab.kernel.spi.text.Html;
import io.vramlab.magics.text.CallSiteText;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.TraceEntry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** The page: histories of one or more devices or snapshots, and the script that draws them, in one file of HTML. */
public final class Page {

    private final String title;
    private final List<String> parts = new ArrayList<>();

    /** A page with nothing on it yet. */
    public Page(String title) {
        this.title = title;
    }

    /**
     * Adds the history of every device of a snapshot that has one.
     *
     * @param name
     *            what it is called on the page
     * @param holder
     *            what holds the block at an address now, null where nothing is known
     * @return how many events were added
     */
    public long add(String name, MemorySnapshot snapshot, LongFunction<String> holder) {
        List<List<TraceEntry>> traces = snapshot.traces();
        List<SegmentInfo> segments = snapshot.segments();
        long events = 0;
        for (int device = 0; device < traces.size(); device++) {
            int index = device;
            if (!traces.get(device).isEmpty()) {
                events += traces.get(device).size();
                parts.add(part(name + ", cuda:" + device, Blocks.of(traces.get(device),
                        segments.stream().filter(s -> s.device() == index).toList(), holder)));
            }
        }
        return events;
    }

    /** True when no snapshot had a history. */
    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /** The file's text. */
    public String html() {
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + Html.escape(title)
                + "</title>\n<style>\n" + resource("view.css") + "</style></head><body>\n" + resource("view.html")
                + "<script>\nconst PARTS = [\n" + String.join(",\n", parts) + "];\n" + resource("view.js")
                + "</script></body></html>\n";
    }

    private static String part(String name, Blocks blocks) {
        int n = blocks.count;
        long[] places = blocks.places();
        Map<List<String>, Integer> stacks = new LinkedHashMap<>();
        Map<Integer, Integer> known = new LinkedHashMap<>();
        ByteBuffer ints = buffer(4L * 5 * n);
        for (int i = 0; i < n; i++) {
            ints.putInt(blocks.from[i]);
        }
        for (int i = 0; i < n; i++) {
            ints.putInt(blocks.to[i]);
        }
        for (int i = 0; i < n; i++) {
            ints.putInt((int) places[i]);
        }
        for (int i = 0; i < n; i++) {
            ints.putInt((int) ((blocks.bytes[i] + Blocks.UNIT - 1) / Blocks.UNIT));
        }
        SizeLabels sizes = SizeLabels.of(blocks);
        for (int i = 0; i < n; i++) {
            ints.putInt(sizes == null
                    ? known.computeIfAbsent(blocks.site[i],
                            s -> stacks.computeIfAbsent(CallSiteText.stack(s), k -> stacks.size()))
                    : stacks.computeIfAbsent(sizes.of(blocks.bytes[i]), k -> stacks.size()));
        }
        ByteBuffer exact = buffer(8L * n);
        for (int i = 0; i < n; i++) {
            exact.putDouble(blocks.bytes[i]);
        }
        ByteBuffer micros = buffer(4L * blocks.events);
        for (int i = 0; i < blocks.events; i++) {
            micros.putInt(
                    (int) (i == 0 ? 0 : Math.clamp(blocks.micros[i] - blocks.micros[i - 1], 0, Integer.MAX_VALUE)));
        }
        StringBuilder out = new StringBuilder("{name: ").append(text(name)).append(", count: ").append(n)
                .append(", events: ").append(blocks.events).append(", height: ").append(places[n])
                .append(", reservedBefore: ").append(blocks.reservedBefore).append(",\n reserved: ")
                .append(pairs(blocks.reserved)).append(", failures: ").append(pairs(blocks.failures))
                .append(",\n holders: {");
        blocks.holders.forEach((block, holder) -> out.append(block).append(": ").append(text(holder)).append(','));
        out.append("},\n stacks: [");
        stacks.keySet().forEach(stack -> out.append('[')
                .append(String.join(",", stack.stream().map(Page::text).toList())).append("],\n"));
        return out.append("],\n ints: \"").append(packed(ints)).append("\",\n exact: \"").append(packed(exact))
                .append("\",\n micros: \"").append(packed(micros)).append("\"}").toString();
    }

    private static ByteBuffer buffer(long bytes) {
        return ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String pairs(List<long[]> pairs) {
        StringBuilder out = new StringBuilder("[");
        pairs.forEach(pair -> out.append(pair[0]).append(',').append(pair[1]).append(','));
        return out.append(']').toString();
    }

    /** A string of JavaScript that no text can end, nor the script that it stands in. */
    private static String text(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || c == '\'') {
                out.append(String.format("\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }

    private static String packed(ByteBuffer data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out, new Deflater(6))) {
            deflater.write(data.array(), 0, data.capacity());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(out.toByteArray());
    }

    private static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
