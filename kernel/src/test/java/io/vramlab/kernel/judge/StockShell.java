package io.vramlab.kernel.judge;

import com.google.gson.reflect.TypeToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The JDK's own JShell, in a JVM of its own: for what a plain program cannot say. */
final class StockShell implements Side {

    @Override
    public List<List<Seen>> run(List<CellSequence> sequences) throws Exception {
        List<List<String>> cells = sequences.stream().map(each -> each.cells().stream().map(Cell::text).toList())
                .toList();
        Path folder = Files.createTempDirectory("judge");
        try {
            return ChildProcess.ask(StockMain.class, cells, new TypeToken<List<List<Seen>>>() {
            }.getType(), folder, null);
        } finally {
            ChildProcess.remove(folder);
        }
    }
}
