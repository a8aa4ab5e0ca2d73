package io.vramlab.kernel.internal.history;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
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
    private static final int PATIENCE_SECONDS = 2;
    private static final int OUTPUT_CHARACTERS = 200;

    private final HistoryFile file;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final List<Entry> own = new ArrayList<>();
    private List<Entry> earlier;
    private long sizeBefore;
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
        if (path == null) {
            opened.countDown();
        } else {
            writer.execute(this::open);
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

    /** Only the number of this session is needed at once: reading a long file takes longer than starting a kernel. */
    private void open() {
        try {
            file.prepare();
            int last = file.lastSession();
            long size = file.size();
            synchronized (this) {
                session = last + 1;
                sizeBefore = size;
                usable = true;
                own.replaceAll(each -> new Entry(session, each.line(), each.input(), each.output()));
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "history is not kept: {0}", e.toString());
        } finally {
            opened.countDown();
        }
    }

    /** What sessions before this one left, read when it is first asked for. */
    private synchronized List<Entry> earlier() {
        if (earlier == null && usable) {
            try {
                earlier = file.read(sizeBefore);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "earlier history cannot be read: {0}", e.toString());
                earlier = List.of();
            }
        }
        return earlier == null ? List.of() : earlier;
    }

    private List<Entry> all() {
        try {
            if (!opened.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warning("the disk is too slow: earlier history is not shown");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return everything();
    }

    private synchronized List<Entry> everything() {
        List<Entry> all = new ArrayList<>(earlier());
        all.addAll(own);
        return all;
    }

    private synchronized List<Entry> own() {
        return List.copyOf(own);
    }

    private synchronized int number() {
        return session;
    }

    /** Adds a cell of this session; of a long output, its beginning: a long session with large tables stays small. */
    public synchronized void add(int line, String input, String output) {
        String kept = output == null || output.length() <= OUTPUT_CHARACTERS
                ? output
                : output.substring(0, OUTPUT_CHARACTERS) + "… (" + output.length() + " characters)";
        own.add(new Entry(session, line, input, kept));
        writer.execute(() -> write(line, input, kept));
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
    public List<Entry> tail(int n) {
        List<Entry> all = all();
        return List.copyOf(all.subList(Math.max(0, all.size() - Math.max(0, n)), all.size()));
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
    public List<Entry> range(int which, int start, int stop) {
        List<Entry> candidates = which == 0 ? own() : all();
        int number = which > 0 ? which : number() + which;
        return candidates.stream().filter(each -> each.session() == number && each.line() >= start
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
    public List<Entry> search(String glob, int n, boolean unique) {
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
        for (Entry entry : all().reversed()) {
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
            if (!writer.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warning("the disk is too slow: the end of the history was not kept");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
