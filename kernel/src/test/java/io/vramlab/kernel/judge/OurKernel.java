package io.vramlab.kernel.judge;

import com.google.gson.reflect.TypeToken;
import io.vramlab.kernel.spi.CellWeaver;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Our interpreter, each session a fresh one, in two JVMs at a time.
 *
 * @param accelerated
 *            whether it may go around JShell
 * @param woven
 *            whether cells are woven for Python's lifetimes; magics and the runtime must be on the class path then
 */
record OurKernel(boolean accelerated, boolean woven) implements Side {

    private static final int PROCESSES = 2;

    OurKernel(boolean accelerated) {
        this(accelerated, false);
    }

    @Override
    public List<List<Seen>> run(List<CellSequence> sequences) throws Exception {
        List<List<String>> cells = sequences.stream().map(each -> each.cells().stream().map(Cell::text).toList())
                .toList();
        int half = Math.ceilDiv(cells.size(), PROCESSES);
        try (ExecutorService pool = Executors.newFixedThreadPool(PROCESSES)) {
            List<Future<List<List<Seen>>>> parts = new ArrayList<>();
            for (int from = 0; from < cells.size(); from += half) {
                List<List<String>> part = cells.subList(from, Math.min(cells.size(), from + half));
                Callable<List<List<Seen>>> answer = () -> ask(part);
                parts.add(pool.submit(answer));
            }
            List<List<Seen>> all = new ArrayList<>();
            for (Future<List<List<Seen>>> each : parts) {
                all.addAll(each.get());
            }
            return all;
        }
    }

    private List<List<Seen>> ask(List<List<String>> cells) throws Exception {
        Path folder = Files.createTempDirectory("judge");
        try {
            // what this JVM lets the accelerator reach
            List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .filter(each -> each.startsWith("--add-") || each.startsWith("--enable-native")).toList());
            flags.add("-Dvramlab.judge.accelerated=" + accelerated);
            flags.add("-Dvramlab.judge.woven=" + woven);
            return ChildProcess.ask(Main.class, flags, cells, new TypeToken<List<List<Seen>>>() {
            }.getType(), folder, null);
        } finally {
            ChildProcess.remove(folder);
        }
    }

    /** The JVM in which our interpreter runs. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] arguments) throws Exception {
            if (Boolean.getBoolean("vramlab.judge.woven")) {
                weave();
            }
            List<List<String>> sequences = ChildProcess.asked(arguments, new TypeToken<List<List<String>>>() {
            }.getType());
            List<List<Seen>> all = new ArrayList<>();
            for (List<String> cells : sequences) {
                try (Session session = new Session(Boolean.getBoolean("vramlab.judge.accelerated"),
                        Imports.neededBy(cells))) {
                    all.add(cells.stream().map(session::run).toList());
                }
            }
            ChildProcess.answer(arguments, all);
            System.exit(0);
        }

        /** As {@code %lifetimes python}, which this module does not know. */
        static void weave() throws ReflectiveOperationException {
            if (ServiceLoader.load(CellWeaver.class).findFirst().isEmpty()) {
                throw new IllegalStateException("nothing weaves cells here: put magics on the class path");
            }
            Class.forName("io.vramlab.tensor.Lifetimes").getMethod("count", boolean.class).invoke(null, true);
        }
    }
}
