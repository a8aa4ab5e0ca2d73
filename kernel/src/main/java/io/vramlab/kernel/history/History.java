package io.vramlab.kernel.history;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * The history of this and earlier sessions. Writing happens on a thread of its own, so that a slow disk slows no cell;
 * when the file cannot be used, the session's own entries are still there.
 */
public final class History implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(History.class.getName());
    private static final String VARIABLE = "VRAMLAB_HISTORY";
    private static final int CLOSE_SECONDS = 2;

    private final HistoryFile file;
    private final List<Entry> entries = new ArrayList<>();
    private final ExecutorService writer = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().name("history").daemon().factory());
    private int session = 1;
    private boolean usable;

    /**
     * A history.
     *
     * @param path
     *            the file, or null to keep none
     */
    public History(Path path) {
        file = path == null ? null : new HistoryFile(path);
        if (path != null) {
            writer.execute(this::load);
        }
    }

    /**
     * The file for this user: what the environment variable {@value #VARIABLE} names ({@code off} for none), else
     * {@code vramlab/history.jsonl} where the platform keeps users' data.
     */
    public static Path defaultPath() {
        Map<String, String> environment = System.getenv();
        String given = environment.get(VARIABLE);
        if (given != null) {
            return given.equals("off") ? null : Path.of(given).toAbsolutePath();
        }
        String home = System.getProperty("user.home");
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        Path data;
        if (environment.get("XDG_DATA_HOME") != null) {
            data = Path.of(environment.get("XDG_DATA_HOME"));
        } else if (system.contains("win") && environment.get("LOCALAPPDATA") != null) {
            data = Path.of(environment.get("LOCALAPPDATA"));
        } else if (system.contains("mac")) {
            data = Path.of(home, "Library", "Application Support");
        } else {
            data = Path.of(home, ".local", "share");
        }
        return data.resolve("vramlab").resolve("history.jsonl").toAbsolutePath();
    }

    private void load() {
        try {
            file.prepare();
            List<Entry> earlier = file.read();
            synchronized (this) {
                session = earlier.isEmpty() ? 1 : earlier.getLast().session() + 1;
                usable = true;
                List<Entry> own = entries.stream()
                        .map(each -> new Entry(session, each.line(), each.input(), each.output())).toList();
                entries.clear();
                entries.addAll(earlier);
                entries.addAll(own);
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "history is not kept: {0}", e.toString());
        }
    }

    /** Adds a cell of this session. */
    public synchronized void add(int line, String input, String output) {
        entries.add(new Entry(session, line, input, output));
        writer.execute(() -> write(line, input, output));
    }

    private void write(int line, String input, String output) {
        int number;
        synchronized (this) {
            if (!usable) {
                return;
            }
            number = session;
        }
        try {
            file.append(new Entry(number, line, input, output));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "history is no longer kept: {0}", e.toString());
            synchronized (this) {
                usable = false;
            }
        }
    }

    /** The last {@code n} entries of all sessions. */
    public synchronized List<Entry> tail(int n) {
        return List.copyOf(entries.subList(Math.max(0, entries.size() - Math.max(0, n)), entries.size()));
    }

    /**
     * Entries of one session.
     *
     * @param which
     *            0 for this one, -1 for the one before, or a session's number
     * @param start
     *            the first line
     * @param stop
     *            the line before which to end; 0 or less for no end
     */
    public synchronized List<Entry> range(int which, int start, int stop) {
        int number = which > 0 ? which : session + which;
        return entries.stream().filter(each -> each.session() == number && each.line() >= start
                && (stop <= 0 || each.line() < stop)).toList();
    }

    /**
     * The last entries whose input fits a pattern.
     *
     * @param glob
     *            with {@code *} for any text and {@code ?} for any character
     * @param n
     *            how many at most
     * @param unique
     *            whether an input that comes again is given only once, at its last place
     */
    public synchronized List<Entry> search(String glob, int n, boolean unique) {
        StringBuilder regex = new StringBuilder();
        for (char c : glob.toCharArray()) {
            regex.append(switch (c) {
                case '*' -> ".*";
                case '?' -> ".";
                default -> Pattern.quote(String.valueOf(c));
            });
        }
        Pattern pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
        List<Entry> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Entry entry : entries.reversed()) {
            if (found.size() < n && pattern.matcher(entry.input()).matches()
                    && (!unique || seen.add(entry.input()))) {
                found.add(entry);
            }
        }
        return found.reversed();
    }

    /** Writes what waits to be written. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warning("the disk is too slow: the end of the history was not kept");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
