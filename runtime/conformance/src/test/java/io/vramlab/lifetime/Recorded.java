package io.vramlab.lifetime;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.Allocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** The programs of lifetimes.py: each is woven and run, and what lives at its marks compared with what CPython kept. */
public final class Recorded {

    private static final String IMPORTS = """
            package woven;
            import io.vramlab.autograd.*;
            import io.vramlab.device.DType;
            import io.vramlab.nn.*;
            import io.vramlab.optim.*;
            import io.vramlab.tensor.*;
            import io.vramlab.tensor.type.*;
            import java.util.*;
            import java.util.function.*;
            import java.util.stream.*;
            import static io.vramlab.lifetime.Recorded.*;
            """;
    private static final List<Mark> MARKS = new ArrayList<>();
    private static final StackWalker STACK = StackWalker.getInstance();
    private static long base;

    private Recorded() {
    }

    /** What lives at a mark, and the most since the mark before, in bytes as requested; and in which line it stands. */
    record Mark(long live, long most, String line) {
    }

    /** A program with what CPython kept alive. */
    record Program(int index, String declarations, String statements, List<Mark> expected) {

        String name() {
            return "P" + index;
        }

        String source() {
            return IMPORTS + "public class " + name() + " {\n" + declarations
                    + "\npublic static void run() throws Exception {\n" + statements + "\n}}";
        }
    }

    /** How a program went. */
    record Outcome(Program program, List<Mark> marks, long left, Throwable failure) {

        /** The first mark that differs; -1 for none. */
        int differs() {
            for (int i = 0; i < Math.max(marks.size(), program.expected.size()); i++) {
                if (i >= marks.size() || i >= program.expected.size()
                        || marks.get(i).live != program.expected.get(i).live
                        || marks.get(i).most != program.expected.get(i).most) {
                    return i;
                }
            }
            return -1;
        }

        /** Whether something was gone that CPython still kept. */
        boolean isShort() {
            for (int i = 0; i < Math.min(marks.size(), program.expected.size()); i++) {
                if (marks.get(i).live < program.expected.get(i).live) {
                    return true;
                }
            }
            return false;
        }
    }

    /** All programs of a recording. */
    static List<Program> programs(InputStream recording) throws IOException {
        JsonObject all = JsonParser.parseReader(
                new InputStreamReader(new GZIPInputStream(recording), StandardCharsets.UTF_8)).getAsJsonObject();
        List<Program> programs = new ArrayList<>();
        for (JsonElement each : all.getAsJsonArray("programs")) {
            JsonObject one = each.getAsJsonObject();
            List<Mark> marks = new ArrayList<>();
            for (JsonElement mark : one.getAsJsonArray("marks")) {
                JsonArray two = mark.getAsJsonArray();
                marks.add(new Mark(two.get(0).getAsLong(), two.get(1).getAsLong(), ""));
            }
            programs.add(new Program(one.get("index").getAsInt(), one.get("declarations").getAsString(),
                    one.get("statements").getAsString(), marks));
        }
        return programs;
    }

    /** Runs programs on the current device, compiled together. */
    static List<Outcome> run(List<Program> programs) throws Exception {
        Map<String, String> sources = new LinkedHashMap<>();
        programs.forEach(each -> sources.put("woven/" + each.name(), each.source()));
        Map<String, byte[]> files = Woven.compiled(sources);
        Map<String, byte[]> classes = new LinkedHashMap<>();
        files.forEach((name, file) -> classes.put(name.replace('/', '.'), file));
        List<Outcome> outcomes = new ArrayList<>();
        for (Program each : programs) {
            outcomes.add(run(each, classes));
        }
        return outcomes;
    }

    private static Outcome run(Program program, Map<String, byte[]> classes) throws Exception {
        Class<?> type = new Woven.Classes(classes).loadClass("woven." + program.name());
        Allocator allocator = Allocators.of(Device.current());
        MARKS.clear();
        base = allocator.stats().get("requested_bytes.all.current");
        allocator.resetPeakMemoryStats();
        Throwable failure = null;
        try {
            type.getMethod("run").invoke(null);
        } catch (InvocationTargetException e) {
            failure = e.getCause();
        }
        return new Outcome(program, List.copyOf(MARKS), allocator.stats().get("requested_bytes.all.current") - base,
                failure);
    }

    /** Called by the programs. */
    public static void mark() {
        Allocator allocator = Allocators.of(Device.current());
        String at = STACK.walk(frames -> frames.filter(each -> each.getClassName().startsWith("woven."))
                .findFirst().map(each -> each.getMethodName() + ":" + each.getLineNumber()).orElse(""));
        MARKS.add(new Mark(allocator.stats().get("requested_bytes.all.current") - base,
                allocator.stats().get("requested_bytes.all.peak") - base, at));
        allocator.resetPeakMemoryStats();
    }
}
