package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.memory.internal.pickle.PickleFormatException;
import io.vramlab.memory.internal.pickle.PickleReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events that are read at once are the events that are read opcode by opcode. */
class HistoryReadingTest {

    /** A pickle as Python's pickler writes it, protocol 4: what is stored is numbered by itself. */
    private static final class Pickle {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int stored;

        Pickle raw(final int... codes) {
            for (final int code : codes) {
                bytes.write(code);
            }
            return this;
        }

        int store() {
            raw(0x94);
            return stored++;
        }

        int text(final String text) {
            raw(0x8c, text.length());
            bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            return store();
        }

        Pickle recall(final int index) {
            return raw('j', index & 0xff, index >> 8 & 0xff, index >> 16 & 0xff, index >>> 24);
        }

        Pickle number(final long value) {
            raw(0x8a, 8);
            for (int i = 0; i < 8; i++) {
                raw((int) (value >> 8 * i) & 0xff);
            }
            return this;
        }
    }

    private final Pickle pickle = new Pickle();
    private final int[] keys = new int[8];

    private void begin() {
        pickle.raw(0x80, 4, '}');
        pickle.store();
        pickle.raw('(');
        pickle.text("segments");
        pickle.raw(']');
        pickle.store();
        pickle.text("names"); // so that events can recall their keys and frames
        pickle.raw(']');
        pickle.store();
        pickle.raw('(');
        final List<String> names = List.of("action", "alloc", "addr", "size", "stream", "frames", "user_metadata",
                "oom");
        for (int i = 0; i < keys.length; i++) {
            keys[i] = pickle.text(names.get(i));
        }
        pickle.raw('e');
    }

    private void trace() {
        pickle.text("device_traces");
        pickle.raw(']');
        pickle.store();
        pickle.raw(']');
        pickle.store();
        pickle.raw('(');
    }

    private void beginTrace() {
        begin();
        trace();
    }

    private int frame(final String file, final int line) {
        pickle.raw('}');
        final int frame = pickle.store();
        pickle.raw('(');
        pickle.text("filename");
        pickle.text(file);
        pickle.text("name");
        pickle.text("step");
        pickle.text("line");
        pickle.raw('K', line, 'u');
        return frame;
    }

    /** An event with a text of its own, a number of each form, and a stack. */
    private void event(final int action, final long address, final int... stack) {
        pickle.raw('}');
        pickle.store();
        pickle.raw('(');
        pickle.recall(keys[0]).recall(action);
        pickle.recall(keys[2]).number(address);
        pickle.recall(keys[3]).raw('J', 0, 2, 0, 0x80); // 512 - 2^31
        pickle.recall(keys[4]).raw('M', 1, 2);
        pickle.recall(keys[6]);
        pickle.text("N/A");
        pickle.recall(keys[5]).raw(']');
        pickle.store();
        if (stack.length == 1) {
            pickle.recall(stack[0]).raw('a');
        } else if (stack.length > 1) {
            pickle.raw('(');
            for (final int frame : stack) {
                pickle.recall(frame);
            }
            pickle.raw('e');
        }
        pickle.raw('u');
    }

    private byte[] history() {
        begin();
        pickle.text("frames of all");
        pickle.raw(']');
        pickle.store();
        pickle.raw('(');
        final int first = frame("train.py", 3);
        final int second = frame("model.py", 70);
        pickle.raw('e');
        trace();
        for (int i = 0; i < 3; i++) {
            event(keys[1], 0x7f00_0000_0000L + i, first, second);
            event(keys[1], -1L - i, second);
            event(keys[7], i);
            event(keys[1], i, second, first);
        }
        pickle.raw('e', 'a', 'u', '.');
        return pickle.bytes.toByteArray();
    }

    private static Object read(final InputStream in) throws IOException {
        return PickleReader.read(in, new HistoryCondenser());
    }

    /** Of which there is never a whole event. */
    private static InputStream drops(final byte[] bytes) {
        return new FilterInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            public int read(final byte[] buffer) throws IOException {
                return read(buffer, 0, 1);
            }
        };
    }

    @Test
    void eventsReadAtOnceAreThoseReadOpcodeByOpcode() throws Exception {
        final byte[] bytes = history();

        final Object whole = read(new ByteArrayInputStream(bytes));

        assertEquals(read(drops(bytes)), whole);
        final List<TraceEntry> entries = MemorySnapshot.ofData(data(whole)).traces().getFirst();
        assertEquals(12, entries.size());
        final TraceEntry last = entries.getLast();
        assertEquals(new TraceEntry(TraceAction.ALLOC, 2, 512 - (1L << 31), 0x201, 0, "N/A", last.site()), last);
        assertEquals(List.of(new Frame("model.py", 70, "step"), new Frame("train.py", 3, "step")),
                CallSites.frames(last.site()));
        assertEquals(List.of(new Frame("model.py", 70, "step")), CallSites.frames(entries.get(1).site()));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> data(final Object root) {
        return (Map<String, Object>) root;
    }

    @Test
    void aStackIsTheFramesThatItsNumbersStandForNow() throws Exception {
        beginTrace();
        final int place = 200;
        for (final String file : List.of("a.py", "b.py")) {
            frame(file, 1);
            pickle.raw('q', place, '0'); // stored under the same number again, and taken from the list
            event(keys[1], 1, place);
        }
        pickle.raw('e', 'a', 'u', '.');

        final Object whole = read(new ByteArrayInputStream(pickle.bytes.toByteArray()));

        assertEquals(List.of("a.py", "b.py"), MemorySnapshot.ofData(data(whole)).traces().getFirst().stream()
                .map(entry -> CallSites.frames(entry.site()).getFirst().file()).toList());
    }

    @Test
    void anEventCannotBeReferredTo() throws Exception {
        beginTrace();
        final int event = pickle.stored;
        event(keys[1], 1);
        event(keys[1], 2);
        pickle.recall(event).raw('e', 'a', 'u', '.');
        final byte[] bytes = pickle.bytes.toByteArray();

        final String refused = assertThrows(PickleFormatException.class,
                () -> read(new ByteArrayInputStream(bytes))).getMessage();

        assertEquals(assertThrows(PickleFormatException.class, () -> read(drops(bytes))).getMessage(), refused);
    }

    @Test
    void stacksWhoseHashesWereChosenToBeEqualAreReadAll() throws Exception {
        beginTrace();
        final int[] frames = new int[32];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = frame("train.py", i);
            pickle.raw('0');
        }
        // 31 a + b is the same of the first two and of the first and the last, in that order
        for (int i = 0; i < 64; i++) {
            final int[] stack = new int[12];
            for (int pair = 0; pair < 6; pair++) {
                final boolean other = (i >> pair & 1) == 1;
                stack[2 * pair] = frames[other ? 1 : 0];
                stack[2 * pair + 1] = frames[other ? 0 : 31];
            }
            event(keys[1], i, stack);
        }
        pickle.raw('e', 'a', 'u', '.');
        final byte[] bytes = pickle.bytes.toByteArray();

        final Object whole = read(new ByteArrayInputStream(bytes));

        assertEquals(read(drops(bytes)), whole);
        assertEquals(64, MemorySnapshot.ofData(data(whole)).traces().getFirst().stream().map(TraceEntry::site)
                .distinct().count());
    }
}
