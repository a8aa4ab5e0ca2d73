package io.vramlab.plan;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.stream.MalformedJsonException;
import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A recording by {@code vramlab_trace.py}: gzip-compressed lines of JSON, see docs/plan.md, "The file". Numbers of tables
 * begin at 1.
 */
public final class ProgramTrace {

    private static final int FORMAT = 1;
    private static final int PIECE = 1 << 16;
    private static final Phase[] PHASES = Phase.values();

    /** What a storage holds, and whose it is. */
    record Holder(String kind, String name) {
    }

    private final Map<Integer, String> operations = new HashMap<>();
    private final Map<Integer, TensorForm> forms = new HashMap<>();
    private final Map<Integer, String> modules = new HashMap<>();
    private final Map<Integer, List<String>> stacks = new HashMap<>();
    private final Map<Long, Holder> holders = new HashMap<>();

    private final List<PlanEvent> events = new ArrayList<>();
    private final Guesses guesses = new Guesses();
    private final ConvolutionSizes convolutions = new ConvolutionSizes();
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
        try (InputStream unzipped = new GZIPInputStream(in, PIECE)) {
            TraceText text = new TraceText(unzipped);
            TraceValues values = new TraceValues(text, form -> trace.forms.get((int) form));
            while (text.next()) {
                number++;
                trace.line(text, values);
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
    private void line(TraceText text, TraceValues values) throws IOException {
        try {
            if (header == null) {
                header = JsonParser.parseString(text.toString()).getAsJsonObject();
            } else {
                line(values.line());
                return;
            }
        } catch (JsonParseException | MalformedJsonException damaged) {
            if (!text.next()) {
                throw new EOFException();
            }
            throw new JsonParseException(damaged);
        }
        checkHeader();
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

    private void line(TraceLine a) throws IOException {
        switch (a.kind()) {
            case "O" -> operations.put(a.small(1), a.text(2).intern());
            case "T" -> forms.put(a.small(1), new TensorForm(a.text(2).intern(), a.numbers(3), a.numbers(4),
                    a.number(5), a.number(6) != 0));
            case "M" -> modules.put(a.small(1), a.text(2));
            case "F" -> stacks.put(a.small(1), a.list(2).stream().map(frame -> frame((List<?>) frame)).toList());
            case "w" -> cudnn = new CudnnAnswers(answers(a.list(1)), plans(a), cudnn.settings());
            case "c" -> cudnn = CudnnAnswers
                    .none(new CudnnAnswers.Settings(a.small(1), a.flag(2), a.flag(3)));
            case "o" -> {
                events.add(operation(a));
                cudnn = cudnn.unasked();
            }
            case "f" -> events.add(new PlanEvent.Released(storage(a.number(1))));
            case "r" -> events.add(new PlanEvent.Resized(storage(a.number(1)), a.number(2)));
            case "b" -> events.add(new PlanEvent.Brought(storage(a.number(1)), a.number(2)));
            case "s" -> events.add(turned(a));
            case "u" -> events.add(new PlanEvent.Used(storage(a.number(1)), stream(a.small(2))));
            case "l" -> events.add(new PlanEvent.Lingering(a.number(1)));
            case "g" -> events.add(new PlanEvent.SharedOut(a.small(1), a.small(2), a.small(3)));
            case "m" -> events.add(a.text(1).equals("memory_fraction") && a.at(3) instanceof Number fraction
                    ? limited(fraction.doubleValue())
                    : new PlanEvent.Mark(a.text(1), a.small(2)));
            case "k" -> holders.put(a.number(1), new Holder(a.text(2), a.text(3)));
            case "n" -> guesses.add(place(a.small(1)), a.text(2));
            case "z" -> complete = a.flag(1);
            default -> throw new TraceFormatException("a line of kind \"" + a.kind() + "\" is not known", null);
        }
    }

    private static PlanEvent limited(double fraction) throws TraceFormatException {
        if (!(fraction >= 0 && fraction <= 1)) {
            throw new TraceFormatException("the program limits itself to " + fraction
                    + " of the device's memory, and PyTorch takes 0 to 1, for which it raises ValueError: record it with such a fraction",
                    null);
        }
        return new PlanEvent.Limited(fraction);
    }

    /** Storages are counted from 1; 0 is the host's. */
    private static long storage(long number) {
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new IllegalStateException("a storage has the number " + number);
        }
        return number;
    }

    /** Recordings of before say of graphs alone for which pool they are captured: on one stream, as they are where the program gives none. */
    private static PlanEvent turned(TraceLine a) throws TraceFormatException {
        int of = stream(a.small(1));
        return new PlanEvent.Turned(of, a.size() < 3 ? Math.min(of, PlanEvent.Turned.FIRST_GRAPH) : stream(a.small(2)));
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

    @SuppressWarnings("unchecked")
    private Operation operation(TraceLine a) throws TraceFormatException {
        String name = operations.get(a.small(1));
        if (name == null) {
            throw new TraceFormatException("operation " + a.number(1) + " has no name in it", null);
        }
        return new Operation(name, a.small(2), a.small(3), PHASES[a.small(4)], (List<Object>) a.list(5), a.named(6),
                a.at(7), made(a.list(8)), a.text(9), cudnn);
    }

    private static List<Operation.Made> made(List<?> list) {
        if (list.isEmpty()) {
            return List.of();
        }
        Operation.Made[] made = new Operation.Made[list.size()];
        for (int i = 0; i < made.length; i++) {
            List<?> each = (List<?>) list.get(i);
            made[i] = new Operation.Made(storage((Long) each.get(0)), (Long) each.get(1));
        }
        return List.of(made);
    }

    /** Ten times the compute capability of the GPU that it was recorded for; 0 where the header does not tell it. */
    private int capability() {
        JsonElement told = header.get("capability");
        return told == null
                ? 0
                : 10 * told.getAsJsonArray().get(0).getAsInt() + told.getAsJsonArray().get(1).getAsInt();
    }

    /** Null for what cuDNN was not asked, or did not answer; bytes, or with them the way it took: an engine and its settings. */
    private List<Answer> answers(List<?> list) {
        List<Answer> answers = new ArrayList<>();
        for (Object v : list) {
            if (v == null) {
                answers.add(null);
            } else if (v instanceof Long bytes) {
                answers.add(Answer.of(bytes));
            } else {
                List<?> way = (List<?>) v;
                Map<Integer, Long> choices = new HashMap<>();
                for (int i = 2; i + 1 < way.size(); i += 2) {
                    choices.put(Math.toIntExact((Long) way.get(i)), (Long) way.get(i + 1));
                }
                answers.add(
                        new Answer((Long) way.get(0), Math.toIntExact((Long) way.get(1)), choices, capability()));
            }
        }
        return answers;
    }

    /** All plans of each product, where the recorder tells them: PyTorch tries them, and they were not told before. */
    private List<List<Answer>> plans(TraceLine line) {
        List<List<Answer>> all = new ArrayList<>();
        if (line.size() > 2) {
            line.list(2).forEach(plans -> all.add(plans == null ? null : answers((List<?>) plans)));
        }
        return all;
    }

    private static String frame(List<?> frame) {
        String file = (String) frame.get(0);
        return file.substring(file.lastIndexOf('/') + 1) + ":" + frame.get(1);
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

    /** Whether it may have an operation whose name begins so. */
    boolean calls(String beginning) {
        return operations.values().stream().anyMatch(name -> name.startsWith(beginning));
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

    /** What is known of its convolutions. */
    ConvolutionSizes convolutions() {
        return convolutions;
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
