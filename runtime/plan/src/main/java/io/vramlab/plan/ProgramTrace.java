package io.vramlab.plan;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A recording by {@code vramlab_trace.py}: gzip-compressed lines of JSON, see docs/plan.md, "The file". Numbers of tables
 * begin at 1.
 */
public final class ProgramTrace {

    private static final int FORMAT = 1;

    /** What a storage holds, and whose it is. */
    record Holder(String kind, String name) {
    }

    private final Map<Integer, String> operations = new HashMap<>();
    private final Map<Integer, TensorForm> forms = new HashMap<>();
    private final Map<Integer, String> modules = new HashMap<>();
    private final Map<Integer, List<String>> stacks = new HashMap<>();
    private final Map<Long, Holder> holders = new HashMap<>();
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

    private final List<PlanEvent> events = new ArrayList<>();
    private final Guesses guesses = new Guesses();
    private JsonObject header;
    private long reported;
    private boolean complete;
    private volatile TraceTraits traits;
    private CudnnAnswers cudnn = CudnnAnswers.none(CudnnAnswers.Settings.DEFAULT);

    private ProgramTrace() {
    }

    /**
     * Reads a recording.
     *
     * @throws TraceFormatException
     *             if it cannot be read, is none, of another format, cut or damaged; its message goes on after "that failed:"
     */
    public static ProgramTrace read(Path file) throws TraceFormatException {
        if (Files.isDirectory(file)) {
            throw new TraceFormatException("it is a folder", null);
        }
        try (InputStream in = Files.newInputStream(file)) {
            return read(in);
        } catch (TraceFormatException told) {
            throw told;
        } catch (NoSuchFileException none) {
            throw new TraceFormatException("there is no such file", none);
        } catch (AccessDeniedException denied) {
            throw new TraceFormatException("you may not read it", denied);
        } catch (IOException stopped) {
            throw new TraceFormatException("reading it stopped after some of it", stopped);
        }
    }

    static ProgramTrace read(InputStream in) throws IOException {
        ProgramTrace trace = new ProgramTrace();
        int number = 0;
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                trace.line(parsed(line, lines));
            }
        } catch (ZipException foreign) {
            throw new TraceFormatException(number == 0
                    ? "it is not a recording of vramlab_trace.py, which compresses with gzip"
                    : "it is damaged after line " + number, foreign);
        } catch (JsonParseException | IllegalStateException | NumberFormatException | ClassCastException
                | IndexOutOfBoundsException | UnsupportedOperationException damaged) {
            throw new TraceFormatException("line " + Math.max(1, number) + " is not as vramlab_trace.py writes it",
                    damaged);
        } catch (EOFException cut) {
            throw new TraceFormatException("it ends early, after line " + number + trace.reached()
                    + ": the recorder was ended before the program was (a time limit, too little memory), or the file was not"
                    + " copied whole. Record it again; --steps 2 or --batches 2 make it shorter", cut);
        }
        if (trace.header == null) {
            throw new TraceFormatException("it is empty", null);
        }
        return trace;
    }

    /** A line that is cut is none of another program's: what follows it would be there, too. */
    private static JsonElement parsed(String line, BufferedReader lines) throws IOException {
        try {
            return JsonParser.parseString(line);
        } catch (JsonParseException damaged) {
            if (lines.readLine() == null) {
                throw new EOFException();
            }
            throw damaged;
        }
    }

    /** At which line the program was, as far as it is known. */
    private String reached() {
        for (PlanEvent event : events.reversed()) {
            if (event instanceof Operation o && !frames(o.stack()).isEmpty()) {
                return ", where the program was at " + place(o.stack());
            }
        }
        return "";
    }

    private void line(JsonElement line) throws IOException {
        if (header == null) {
            header = line.getAsJsonObject();
            checkHeader();
            return;
        }
        JsonArray a = line.getAsJsonArray();
        switch (a.get(0).getAsString()) {
            case "O" -> operations.put(a.get(1).getAsInt(), a.get(2).getAsString().intern());
            case "T" -> forms.put(a.get(1).getAsInt(), new TensorForm(a.get(2).getAsString(), longs(a.get(3)),
                    longs(a.get(4)), a.get(5).getAsLong(), a.get(6).getAsInt() != 0));
            case "M" -> modules.put(a.get(1).getAsInt(), a.get(2).getAsString());
            case "F" -> stacks.put(a.get(1).getAsInt(), frames(a.get(2).getAsJsonArray()));
            case "w" -> cudnn = new CudnnAnswers(answers(a.get(1).getAsJsonArray()), plans(a), cudnn.settings());
            case "c" -> cudnn = CudnnAnswers.none(new CudnnAnswers.Settings(a.get(1).getAsInt(),
                    a.get(2).getAsBoolean(), a.get(3).getAsBoolean()));
            case "o" -> {
                events.add(operation(a));
                cudnn = CudnnAnswers.none(cudnn.settings());
            }
            case "f" -> events.add(new PlanEvent.Released(a.get(1).getAsLong()));
            case "r" -> events.add(new PlanEvent.Resized(a.get(1).getAsLong(), a.get(2).getAsLong()));
            case "b" -> events.add(new PlanEvent.Brought(a.get(1).getAsLong(), a.get(2).getAsLong()));
            case "s" -> events.add(new PlanEvent.Turned(stream(a.get(1).getAsInt())));
            case "u" -> events.add(new PlanEvent.Used(a.get(1).getAsLong(), stream(a.get(2).getAsInt())));
            case "l" -> events.add(new PlanEvent.Lingering(a.get(1).getAsLong()));
            case "m" -> events.add(new PlanEvent.Mark(a.get(1).getAsString(), a.get(2).getAsInt()));
            case "k" -> holders.put(a.get(1).getAsLong(),
                    new Holder(a.get(2).getAsString(), a.get(3).getAsString()));
            case "n" -> guesses.add(place(a.get(1).getAsInt()), a.get(2).getAsString());
            case "z" -> complete = a.get(1).getAsBoolean();
            default -> throw new TraceFormatException("a line of kind " + a.get(0) + " is not known", null);
        }
    }

    private static int stream(int number) throws TraceFormatException {
        if (number < 0 || number > Byte.MAX_VALUE) {
            throw new TraceFormatException("a stream has the number " + number, null);
        }
        return number;
    }

    private void checkHeader() throws TraceFormatException {
        if (!header.has("vramlab_trace")) {
            throw new TraceFormatException("it is not a recording of vramlab_trace.py", null);
        }
        int format = header.get("vramlab_trace").getAsInt();
        if (format != FORMAT) {
            throw new TraceFormatException(
                    "it has format " + format + ", and format " + FORMAT + " is read: record it again", null);
        }
        for (String needed : List.of("device", "script")) {
            if (!header.has(needed)) {
                throw new TraceFormatException("its first line does not tell the " + needed, null);
            }
        }
        reported = header.has("memory") ? header.get("memory").getAsLong() : 0;
    }

    private Operation operation(JsonArray a) throws TraceFormatException {
        if (!operations.containsKey(a.get(1).getAsInt())) {
            throw new TraceFormatException("operation " + a.get(1) + " has no name in it", null);
        }
        List<Object> arguments = new ArrayList<>();
        a.get(5).getAsJsonArray().forEach(v -> arguments.add(value(v)));
        Map<String, Object> named = new LinkedHashMap<>();
        a.get(6).getAsJsonObject().entrySet().forEach(e -> named.put(e.getKey(), value(e.getValue())));
        List<Operation.Made> made = new ArrayList<>();
        for (JsonElement m : a.get(8).getAsJsonArray()) {
            made.add(new Operation.Made(m.getAsJsonArray().get(0).getAsLong(), m.getAsJsonArray().get(1).getAsLong()));
        }
        return new Operation(operations.get(a.get(1).getAsInt()), a.get(2).getAsInt(), a.get(3).getAsInt(),
                Phase.values()[a.get(4).getAsInt()], arguments, named, value(a.get(7)), made, a.get(9).getAsString(),
                cudnn);
    }

    /** Ten times the compute capability of the GPU that it was recorded for; 0 where the header does not tell it. */
    private int capability() {
        JsonElement told = header.get("capability");
        return told == null
                ? 0
                : 10 * told.getAsJsonArray().get(0).getAsInt() + told.getAsJsonArray().get(1).getAsInt();
    }

    /** Null for what cuDNN was not asked, or did not answer; bytes, or with them the way it took: an engine and its settings. */
    private List<Answer> answers(JsonArray list) {
        List<Answer> answers = new ArrayList<>();
        for (JsonElement v : list) {
            if (v.isJsonNull()) {
                answers.add(null);
            } else if (v.isJsonPrimitive()) {
                answers.add(Answer.of(v.getAsLong()));
            } else {
                JsonArray way = v.getAsJsonArray();
                Map<Integer, Long> choices = new HashMap<>();
                for (int i = 2; i + 1 < way.size(); i += 2) {
                    choices.put(way.get(i).getAsInt(), way.get(i + 1).getAsLong());
                }
                answers.add(new Answer(way.get(0).getAsLong(), way.get(1).getAsInt(), choices, capability()));
            }
        }
        return answers;
    }

    /** All plans of each product, where the recorder tells them: PyTorch tries them, and they were not told before. */
    private List<List<Answer>> plans(JsonArray line) {
        List<List<Answer>> all = new ArrayList<>();
        if (line.size() > 2) {
            line.get(2).getAsJsonArray().forEach(p -> all.add(p.isJsonNull() ? null : answers(p.getAsJsonArray())));
        }
        return all;
    }

    private Object value(JsonElement v) {
        if (v.isJsonNull()) {
            return null;
        }
        if (v instanceof JsonPrimitive p) {
            if (p.isBoolean()) {
                return p.getAsBoolean();
            }
            if (p.isString()) {
                return p.getAsString();
            }
            String text = p.getAsString();
            return WHOLE.matcher(text).matches() ? (Object) Long.valueOf(text) : (Object) Double.valueOf(text);
        }
        if (v instanceof JsonArray list) {
            List<Object> values = new ArrayList<>();
            list.forEach(x -> values.add(value(x)));
            return values;
        }
        JsonObject object = v.getAsJsonObject();
        if (object.has("t")) {
            JsonArray t = object.getAsJsonArray("t");
            TensorForm form = forms.get(t.get(1).getAsInt());
            if (form == null) {
                throw new IllegalStateException("form " + t.get(1) + " has not been told");
            }
            return new TensorRef(t.get(0).getAsLong(), form);
        }
        return object.get("d").getAsString();
    }

    private static long[] longs(JsonElement list) {
        long[] values = new long[list.getAsJsonArray().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = list.getAsJsonArray().get(i).getAsLong();
        }
        return values;
    }

    private static List<String> frames(JsonArray frames) {
        List<String> texts = new ArrayList<>();
        for (JsonElement f : frames) {
            String file = f.getAsJsonArray().get(0).getAsString();
            texts.add(file.substring(file.lastIndexOf('/') + 1) + ":" + f.getAsJsonArray().get(1).getAsInt());
        }
        return texts;
    }

    /**
     * The recording as far as the end of an optimizer's step.
     *
     * @param step
     *            counted from 1
     * @throws IllegalArgumentException
     *             if it has not as many
     */
    public ProgramTrace upToStep(int step) {
        int seen = 0;
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof PlanEvent.Mark m && m.what().equals("optimizer_step") && ++seen == step) {
                ProgramTrace part = new ProgramTrace();
                part.operations.putAll(operations);
                part.modules.putAll(modules);
                part.stacks.putAll(stacks);
                part.holders.putAll(holders);
                part.events.addAll(events.subList(0, i + 1));
                part.guesses.addAll(guesses);
                part.header = header;
                part.reported = reported;
                part.complete = true;
                return part;
            }
        }
        throw new IllegalArgumentException("The recording holds " + seen + " steps, counted from 1.");
    }

    List<PlanEvent> events() {
        return events;
    }

    /** What is asked of all events, found once. */
    TraceTraits traits() {
        TraceTraits found = traits;
        if (found == null) {
            found = TraceTraits.of(this);
            traits = found;
        }
        return found;
    }

    /** What is known of who holds a storage; null for nothing. */
    Holder holder(long storage) {
        return holders.get(storage);
    }

    /** The line of the user's program: the innermost one outside of PyTorch. */
    String place(int stack) {
        List<String> frames = stacks.get(stack);
        return frames == null || frames.isEmpty() ? "?" : frames.getFirst();
    }

    /** All lines of a call site outside of PyTorch, innermost first. */
    List<String> frames(int stack) {
        return stacks.getOrDefault(stack, List.of());
    }

    String module(int module) {
        return modules.getOrDefault(module, "");
    }

    /**
     * {@return the GPU of that name; where it is the recording's own with the memory that the recorder was told, else with what CUDA
     * reports of such a card}
     *
     * @param name
     *            one of {@link DeviceProfile}'s, or a size
     * @throws io.vramlab.device.DeviceException
     *             if it is neither
     */
    public DeviceProperties gpu(String name) {
        DeviceProperties p = DeviceProfile.find(name).orElseGet(() -> DeviceProfile.of(name));
        return reported > 0 && p.name().equals(device())
                ? new DeviceProperties(p.name(), reported, p.multiProcessorCount(), p.maxThreadsPerMultiProcessor(),
                        p.warpSize(), p.major(), p.minor())
                : p;
    }

    /** The GPU that the recording was made for, by the recorder's name. */
    public String device() {
        return header.get("device").getAsString();
    }

    /** The script, as it was called. */
    public String script() {
        return header.get("script").getAsString();
    }

    /** What the recorder had to guess: a sentence for each line of the program. */
    public List<String> notes() {
        return guesses.told();
    }

    /** Whether the program ran to its end. */
    public boolean isComplete() {
        return complete;
    }
}
