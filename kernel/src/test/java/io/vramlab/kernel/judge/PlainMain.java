package io.vramlab.kernel.judge;

import com.google.gson.reflect.TypeToken;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs sessions that were written as classes, in a JVM of its own. */
final class PlainMain {

    /** A session's class, and how many cells it has. */
    record Program(String className, int cells) {
    }

    private PlainMain() {
    }

    public static void main(String[] arguments) throws Exception {
        List<Program> programs = ChildProcess.asked(arguments, new TypeToken<List<Program>>() {
        }.getType());
        List<List<Seen>> all = new ArrayList<>();
        for (Program each : programs) {
            all.add(run(each));
        }
        ChildProcess.answer(arguments, all);
        System.exit(0);
    }

    private static List<Seen> run(Program program) throws Exception {
        Class<?> type = Class.forName(program.className());
        List<Seen> seen = new ArrayList<>();
        List<String> declared = new ArrayList<>();
        try (Captured captured = new Captured()) {
            for (int i = 0; i < program.cells(); i++) {
                Object[] shown = new Object[1];
                Object ended = null;
                String thrown = null;
                try {
                    ended = type.getMethod("cell" + i, List.class, Object[].class).invoke(null, declared, shown);
                } catch (InvocationTargetException e) {
                    thrown = Show.thrown(e.getCause());
                }
                Map<String, String> variables = new TreeMap<>();
                for (String name : declared) {
                    Field field = type.getDeclaredField(name);
                    field.setAccessible(true);
                    variables.put(name, Show.type(field.getGenericType().getTypeName().replace('$', '.')) + " "
                            + Show.value(field.get(null)));
                }
                seen.add(new Seen(captured.take(), ended == null ? null : Show.value(shown[0]), thrown, variables));
            }
        }
        return seen;
    }
}
