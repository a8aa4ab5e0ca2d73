package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.UserCode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which frames of a stack are the user's, and how many of a deep one are looked at. */
class UserFramesTest {

    private static final int DEEP = 10_000;

    private final AtomicInteger seen = new AtomicInteger();

    /** A frame as the JVM gives it. */
    private record Framed(Class<?> type, String file, int byteCode, String method) implements StackWalker.StackFrame {

        @Override
        public String getClassName() {
            return type.getName();
        }

        @Override
        public String getMethodName() {
            return method;
        }

        @Override
        public Class<?> getDeclaringClass() {
            return type;
        }

        @Override
        public int getByteCodeIndex() {
            return byteCode;
        }

        @Override
        public String getFileName() {
            return file;
        }

        @Override
        public int getLineNumber() {
            return byteCode;
        }

        @Override
        public boolean isNativeMethod() {
            return false;
        }

        @Override
        public StackTraceElement toStackTraceElement() {
            throw new UnsupportedOperationException();
        }
    }

    private static Framed cell(int line, String method) {
        return new Framed(UserCode.class, "In [7]", line, method);
    }

    private Stream<StackWalker.StackFrame> counted(Stream<? extends StackWalker.StackFrame> frames) {
        return frames.<StackWalker.StackFrame>map(frame -> frame).peek(frame -> seen.incrementAndGet());
    }

    @Test
    void aRecursionInACellIsLookedAtAsFarAsItIsKept() {
        CallSites.runningCell(0);
        List<UserFrames.Place> found = UserFrames.whole(counted(Stream.generate(() -> cell(3, "deep")).limit(DEEP)));
        assertEquals(CallSites.DEPTH, found.size());
        assertEquals(CallSites.DEPTH, seen.get());
    }

    @Test
    void aRecursionOutsideOfCellsIsNotFollowedToItsEnd() {
        CallSites.runningCell(0);
        Framed library = new Framed(org.junit.jupiter.api.Test.class, "Library.java", 3, "deep");
        List<UserFrames.Place> found = UserFrames.whole(counted(Stream.generate(() -> library).limit(DEEP)));
        assertEquals(CallSites.DEPTH, found.size());
        assertEquals(UserFrames.FURTHEST, seen.getAndSet(0));
        assertEquals("deep", UserFrames.innermost(counted(Stream.generate(() -> library).limit(DEEP))).frame.method());
        assertTrue(seen.get() <= UserFrames.FURTHEST, seen::toString);
    }

    @Test
    void aShallowStackEndsAtTheCell() {
        CallSites.runningCell(0);
        List<UserFrames.Place> found = UserFrames
                .whole(counted(Stream.of(cell(1, "inner"), cell(2, "do_it$"), cell(3, "below"))));
        assertEquals(List.of("inner", Frame.CELL), found.stream().map(place -> place.frame.method()).toList());
        assertEquals(2, seen.get());
    }
}
